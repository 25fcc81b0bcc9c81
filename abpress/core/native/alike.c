/* Which record fits a state that is met again, as `abpress/reductions/stateless/remembered.py`: what slept
 * there sleeps now, and with observers the state is the same modulo observability. */
#include <string.h>

#include "executions.h"

/* -- what slept ----------------------------------------------------------------------------- */

/* Room for a set of so many words at the end. */
static uint64_t *new_sets(past_states *m, size_t words) {
    if (!room_for((void **)&m->sets, &m->set_room, m->set_count + words + 1, sizeof *m->sets)) return NULL;
    m->set_count += words;
    return m->sets + m->set_count - words;
}

static int keep_sleepers(core *c, state_record *its) {
    const observed *o = &c->executions->observed;
    past_states *m = &c->executions->remembered_past;
    size_t first, count = slept_now(c, &first);
    if (!room_for((void **)&m->sleepers, &m->sleeper_room, m->sleeper_count + count + 1, sizeof *m->sleepers) ||
        m->sleeper_count > UINT32_MAX - LANES)
        return 0;
    its->slept = (uint32_t)m->sleeper_count, its->slept_count = (uint32_t)count;
    its->set_words = o->words, its->sets = m->set_count;
    uint64_t *sets = new_sets(m, count * o->words);
    if (sets == NULL) return 0;
    for (size_t k = 0; k < count; k++) {
        m->sleepers[m->sleeper_count++] = o->sleepers[first + k];
        memcpy(sets + k * o->words, o->sets + (first + k) * o->words, o->words * sizeof *sets);
    }
    return 1;
}

int keep_slept(core *c, state_record *its) {
    past_states *m = &c->executions->remembered_past;
    const node *n = &c->executions->nodes[c->executions->depth - 1];
    if (has_observers(c)) return keep_sleepers(c, its);
    if (!room_for((void **)&m->slept, &m->slept_room, m->slept_count + LANES, sizeof *m->slept) ||
        m->slept_count > UINT32_MAX - LANES)
        return 0;
    its->asleep = n->asleep, its->slept = (uint32_t)m->slept_count;
    for (uint64_t rest = its->asleep; rest != 0; rest &= rest - 1)
        m->slept[m->slept_count++] = n->sleep[__builtin_ctzll(rest) + 1];
    return 1;
}

/* Whether two sleepers are the same; the sets of what was overwritten grow. */
static int is_same(const sleeper *a, const uint64_t *set, size_t words, const sleeper *b, const uint64_t *other,
                   size_t more) {
    if (a->its.thread != b->its.thread || a->its.access != b->its.access || a->over != b->over) return 0;
    for (size_t k = 0; k < more; k++)
        if ((k < words ? set[k] : 0) != other[k]) return 0;
    return 1;
}

static int sleepers_fit(const core *c, const state_record *its) {
    const observed *o = &c->executions->observed;
    const past_states *m = &c->executions->remembered_past;
    size_t first, count = slept_now(c, &first);
    for (size_t j = 0; j < its->slept_count; j++) {
        const uint64_t *set = m->sets + its->sets + j * its->set_words;
        size_t k = 0;
        while (k < count && !is_same(&m->sleepers[its->slept + j], set, its->set_words, &o->sleepers[first + k],
                                     o->sets + (first + k) * o->words, o->words))
            k++;
        if (k == count) return 0;
    }
    return 1;
}

int slept_fits(const core *c, const state_record *its) {
    const past_states *m = &c->executions->remembered_past;
    const node *n = &c->executions->nodes[c->executions->depth - 1];
    uint32_t k = its->slept;
    if (has_observers(c)) return sleepers_fit(c, its);
    if (its->asleep & ~n->asleep) return 0;
    for (uint64_t rest = its->asleep; rest != 0; rest &= rest - 1)
        if (m->slept[k++] != n->sleep[__builtin_ctzll(rest) + 1]) return 0;
    return 1;
}

/* -- what is read later --------------------------------------------------------------------- */

static void add_read(const footprints *f, uint64_t *live, uint32_t access) {
    const uint64_t *touched = f->bits + 2 * f->words * access, *blind = f->blind + f->words * access;
    for (size_t k = 0; k < f->words; k++) live[k] |= touched[k] & ~blind[k];
}

/* What is live before a step that leads to the record. */
static void add_step(const executions *x, uint64_t *live, const known_step *its) {
    const footprints *f = &x->footprints;
    const past_states *m = &x->remembered_past;
    const state_record *then = &m->records[its->then];
    const uint64_t *written = f->bits + (2 * its->its.access + 1) * f->words;
    for (size_t k = 0; k < then->live_words; k++) live[k] |= m->sets[then->live + k] & ~written[k];
    add_read(f, live, its->its.access);
}

/* At the end of an execution threads wait or sleep. What waits is not contested once the search has begun again,
 * NOTE(waiting), and what sleeps there sleeps wherever the record fits; so their reads change nothing that is explored
 * in the end, and are added as the Python search adds them, whose numbers these are. */
int keep_live(core *c, state_record *its, const node *n) {
    executions *x = c->executions;
    past_states *m = &x->remembered_past;
    uint64_t waiting = its->first == 0 ? n->threads : 0;
    if (!has_observers(c)) return 1;
    for (uint64_t rest = waiting; rest != 0; rest &= rest - 1) can_move(c, x->depth - 1, __builtin_ctzll(rest) + 1);
    if (c->over) return 1;
    its->live_words = x->footprints.words, its->live = m->set_count;
    uint64_t *live = new_sets(m, its->live_words);
    if (live == NULL) return 0;
    memset(live, 0, its->live_words * sizeof *live);
    for (uint64_t rest = waiting; rest != 0; rest &= rest - 1)
        add_read(&x->footprints, live, n->next[__builtin_ctzll(rest) + 1]);
    for (uint32_t k = its->first; k != 0; k = m->steps[k].next) add_step(x, live, &m->steps[k]);
    return 1;
}

/* -- states --------------------------------------------------------------------------------- */

/* Whether nobody minds what the cell holds: several threads write it blindly, and it is written before it is
 * read by what follows the state of the record. */
static int is_free(const executions *x, const state_record *its, size_t cell) {
    uint32_t key = x->footprints.numbers[cell];
    if (key == 0 || !x->footprints.keys[key].contested) return 0;
    return key / 64 >= its->live_words || !(x->remembered_past.sets[its->live + key / 64] >> key % 64 & 1);
}

int is_alike(core *c, const state_record *its, uint32_t state) {
    executions *x = c->executions;
    past_states *m = &x->remembered_past;
    if (its->state == state) return 1;
    word *contents = m->words + interner_words(&m->states, its->state, m->words);
    for (size_t column = 0; column < c->chunks; column++) {
        size_t from = column * c->chunk;
        if (m->words[column] == (word)c->row[column]) continue;
        size_t count = interner_words(&c->memory, (uint32_t)m->words[column], contents);
        for (size_t k = 0; k < count; k++) {
            word now = c->s[from + k], then = contents[k];
            if (now != then && (now == DEAD || then == DEAD || !is_free(x, its, from + k))) return 0;
        }
    }
    return 1;
}
