/* Records of what was explored from states, as `abpress/reductions/stateless/remembered.py`, which has the
 * argument. Where a state is met again, the executions that were explored from it are put together with
 * the steps that lead there now: the machine takes their steps once more, and their races are reversed at
 * the nodes of the search. */
#include <stdlib.h>
#include <string.h>

#include "executions.h"

enum { MOST_PASSED = 32 }; /* local states that a thread remembers */

static void used_up(core *c) { refuse(c, "memory is used up"); }

static node *top(core *c) { return &c->executions->nodes[c->executions->depth - 1]; }

/* -- threads that wait ---------------------------------------------------------------------- */

static int is_noted(const past_states *m, uint32_t list, item its) {
    for (; list != 0; list = m->waits[list].next)
        if (m->waits[list].its.thread == its.thread && m->waits[list].its.access == its.access) return 1;
    return 0;
}

static void note(core *c, uint32_t *list, item its) {
    past_states *m = &c->executions->remembered_past;
    if (is_noted(m, *list, its)) return;
    if (!room_for((void **)&m->waits, &m->wait_room, m->wait_count + 2, sizeof *m->waits)) {
        used_up(c);
        return;
    }
    m->waits[++m->wait_count] = (waiting_thread){its, *list};
    *list = (uint32_t)m->wait_count;
}

/* Of a node of the search those that are noted there; of others those of the record whose copy it is, or of its
 * own where states are the same but for what nobody reads. */
static uint32_t *waits_at(executions *x, size_t k) {
    node *n = &x->nodes[k];
    if (!x->remembered_past.follows || k < x->remembered_past.own) return &n->waits;
    if (n->record != 0) return &x->remembered_past.records[n->record].copied;
    return x->remembered_past.same ? NULL : &n->waits;
}

void remembered_wait(core *c, size_t k, int thread, uint32_t access) {
    executions *x = c->executions;
    uint32_t *list = x->uncertain ? NULL : waits_at(x, k);
    if (list == NULL) return;
    uint32_t its = *list;
    note(c, &its, (item){thread, access});
    *waits_at(x, k) = its;
}

/* Whether what a thread waits for races with an event before the nodes that are no longer of the search. Its
 * creation does not. */
static int races_before(core *c, item its) {
    executions *x = c->executions;
    footprints *f = &x->footprints;
    uint32_t life = life_key(c, its.thread);
    size_t words = f->words;
    const uint64_t *a = f->bits + 2 * words * its.access;
    for (size_t e = 0; e + 1 < x->remembered_past.own; e++) {
        const uint64_t *b = f->bits + 2 * words * x->events[e].access;
        if (x->events[e].thread == its.thread) continue;
        for (size_t k = 0; k < words; k++) {
            uint64_t touched = k == life / 64 ? a[k] & ~(1ULL << life % 64) : a[k];
            if ((touched & b[words + k]) | (a[words + k] & b[k])) return 1;
        }
    }
    return 0;
}

/* Finds out which events after the last node of the search have races that were not looked at for good,
 * NOTE(waiting-beyond). */
static void find_wanted(core *c, int is_whole) {
    executions *x = c->executions;
    past_states *m = &x->remembered_past;
    if (!room_for((void **)&m->wanted, &m->wanted_room, x->depth + 1, 1)) {
        used_up(c);
        return;
    }
    memset(m->wanted, !is_whole, x->depth + 1);
    for (size_t k = m->own - 1; is_whole && k < x->depth; k++)
        for (uint32_t w = *waits_at(x, k); w != 0 && !m->wanted[k]; w = m->waits[w].next)
            m->wanted[k] = (unsigned char)races_before(c, m->waits[w].its);
}

int remembered_wants(const executions *x, size_t e) {
    const past_states *m = &x->remembered_past;
    return !m->follows || e + 1 < m->own || m->wanted[e];
}

/* -- records -------------------------------------------------------------------------------- */

/* A record for the last node, or (state 0) for where a violation leads. */
static uint32_t record_new(core *c, uint32_t state, uint32_t alike) {
    past_states *m = &c->executions->remembered_past;
    if (!room_for((void **)&m->records, &m->record_room, m->record_count + 2, sizeof *m->records))
        return used_up(c), 0;
    state_record *its = &m->records[++m->record_count];
    *its = (state_record){.state = state, .alike = alike};
    if (state != 0 && !keep_slept(c, its)) return used_up(c), 0;
    return (uint32_t)m->record_count;
}

/* That the record follows that of the node, after a step. */
static void follows(core *c, const node *n, int thread, uint32_t access, uint32_t then) {
    past_states *m = &c->executions->remembered_past;
    if (n->record == 0 || then == 0) return;
    if (!room_for((void **)&m->steps, &m->step_room, m->step_count + 2, sizeof *m->steps) ||
        m->step_count >= UINT32_MAX - 2) {
        used_up(c);
        return;
    }
    uint32_t new = (uint32_t)++m->step_count;
    state_record *its = &m->records[n->record];
    m->steps[new] = (known_step){.its = {thread, access}, .then = then};
    if (its->last != 0) m->steps[its->last].next = new;
    else its->first = new;
    its->last = new;
}

/* The number of the state of the machine, with what threads remember, 0: without memory; and of what states
 * share for which the same is known. */
static uint32_t number_of_state(core *c, uint32_t *alike) {
    executions *x = c->executions;
    past_states *m = &x->remembered_past;
    size_t before = c->depth;
    c->depth = x->depth - 1;
    int made = stored_row(c, x->depth > 1 ? x->nodes[x->depth - 2].changes : 0) && stored_push(c);
    c->depth = before;
    size_t length = c->states.width, threads = (size_t)c->thread_count;
    if (!made || !room_for((void **)&m->words, &m->word_room, length + threads * (MOST_PASSED + 2) + c->chunk,
                           sizeof *m->words))
        return 0;
    while (length > 0 && c->row[length - 1] == 0) length--;
    for (size_t k = 0; k < length; k++) m->words[k] = (word)c->row[k];
    for (int t = 1; t <= c->thread_count; t++) {
        size_t passed = passed_by(c, t, MOST_PASSED, m->words + length + 1);
        if (passed == 0) continue;
        m->words[length] = -t;
        length += 1 + passed;
    }
    uint32_t state = *alike = interner_number(&m->states, m->words, length);
    if (has_observers(c)) *alike = interner_number(&m->rests, m->words + c->chunks, length - c->chunks);
    return *alike != 0 ? state : 0;
}

static uint32_t known_at(core *c, uint32_t state, uint32_t alike) {
    const past_states *m = &c->executions->remembered_past;
    uint32_t k = alike < m->state_room ? m->first[alike] : 0;
    while (k != 0 && !(slept_fits(c, &m->records[k]) && is_alike(c, &m->records[k], state))) k = m->records[k].next;
    return k;
}

void remembered_enter(core *c) {
    executions *x = c->executions;
    node *n = top(c);
    if (x->uncertain || c->over) return;
    uint32_t alike = 0, state = number_of_state(c, &alike);
    if (state == 0) {
        used_up(c);
        return;
    }
    n->record = known_at(c, state, alike);
    n->met = n->record != 0;
    if (!n->met) n->record = record_new(c, state, alike);
    else x->remembered_past.same = x->remembered_past.records[n->record].state == state;
    if (x->depth == 1) return;
    const event *its = &x->events[x->event_count - 1];
    follows(c, n - 1, its->thread, its->access, n->record);
}

void remembered_violation(core *c) {
    const node *n = top(c);
    if (n->record != 0) follows(c, n, n->current, n->next[n->current], record_new(c, 0, 0));
}

void remembered_leave(core *c) {
    executions *x = c->executions;
    past_states *m = &x->remembered_past;
    const node *n = top(c);
    if (n->record == 0 || n->met || x->uncertain) return;
    state_record *its = &m->records[n->record];
    size_t before = m->state_room;
    if (!keep_live(c, its, n)) {
        used_up(c);
        return;
    }
    if (its->alike >= before) {
        if (!room_for((void **)&m->first, &m->state_room, (size_t)its->alike + 1, sizeof *m->first)) {
            used_up(c);
            return;
        }
        memset(m->first + before, 0, (m->state_room - before) * sizeof *m->first);
    }
    uint32_t *place = &m->first[its->alike];
    while (*place != 0) place = &m->records[*place].next;
    *place = n->record;
    its->waits = its->copied = n->waits;
    m->closed++;
}

/* -- what is known to follow ---------------------------------------------------------------- */

/* Whether an event that is not executed happens before the step. */
static int is_blocked(const executions *x, item its) {
    const past_states *m = &x->remembered_past;
    for (size_t k = 1; k < m->way_count && m->blocked > 0; k++) {
        const continuing *one = &m->way[k];
        if (!one->executed && (one->its.thread == its.thread ||
                               in_conflict(&x->footprints, one->its.access, its.access)))
            return 1;
    }
    return 0;
}

/* Those that sleep still after the step. */
static uint64_t asleep_after(const executions *x, uint64_t asleep, uint32_t access) {
    const node *n = &x->nodes[x->remembered_past.own - 1];
    for (uint64_t rest = asleep; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        if (in_conflict(&x->footprints, n->sleep[t], access)) asleep &= ~BIT(t);
    }
    return asleep;
}

/* Executes the step that leads to the record. */
static void go_on(core *c, const known_step *its) {
    executions *x = c->executions;
    past_states *m = &x->remembered_past;
    int thread = its->its.thread, is_copy = m->same && m->blocked == 0;
    uint32_t access = its->its.access, then = its->then;
    local_state before = state_before(c, thread);
    top(c)->next[thread] = access;
    c->silent = 1;
    enum outcome found = step_from(c, thread, before, access);
    c->silent = 0;
    if (found == STEPS) remember(c, thread, before, access);
    if (found != (m->records[then].state != 0 ? STEPS : VIOLATES)) {
        refuse(c, "internal error: what is known does not follow");
        return;
    }
    if (!push_event(c, thread, access)) {
        used_up(c);
        return;
    }
    node *n = found == STEPS ? executions_push(c) : NULL;
    if (n == NULL) return;
    n->preferred = thread;
    n->record = is_copy ? then : 0;
    n->waits = m->records[then].waits;
}

static void go_back(core *c, int has_node) {
    c->executions->depth -= (size_t)has_node;
    pop_event(c);
    machine_undo(c, top(c)->changes);
}

/* Whether an execution of which something is left out was not put together yet: its threads tell. */
static int is_unseen(core *c) {
    executions *x = c->executions;
    past_states *m = &x->remembered_past;
    size_t length = 1, before = m->seen.count;
    if (!room_for((void **)&m->words, &m->word_room, x->event_count + 2, sizeof *m->words)) return used_up(c), 0;
    m->words[0] = (word)m->follows;
    for (size_t e = m->own - 1; e < x->event_count; e++) m->words[length++] = x->events[e].thread;
    if (interner_number(&m->seen, m->words, length) == 0) return used_up(c), 0;
    return m->seen.count > before;
}

static void look_at_races(core *c, int is_whole) {
    c->executions->remembered_past.put_together++;
    find_wanted(c, is_whole);
    if (!c->over) reverse_observed(c);
}

/* The threads that sleep at the node, but those with blind writes: others may have written these cells since. */
static uint64_t asleep_at(const executions *x, const node *n) {
    const footprints *f = &x->footprints;
    uint64_t asleep = n->asleep;
    for (uint64_t rest = f->observes ? asleep : 0; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        for (size_t k = 0; k < f->words; k++)
            if (f->blind[f->words * n->sleep[t] + k] != 0) asleep &= ~BIT(t);
    }
    return asleep;
}

static void begin_to_follow(core *c) {
    executions *x = c->executions;
    past_states *m = &x->remembered_past;
    node *n = top(c);
    m->own = x->depth, m->blocked = 0, m->follows = ++m->followed;
    for (uint32_t w = m->records[n->record].waits; w != 0; w = m->waits[w].next) note(c, &n->waits, m->waits[w].its);
    if (!room_for((void **)&m->way, &m->way_room, 2, sizeof *m->way)) {
        used_up(c);
        return;
    }
    m->way[0] = (continuing){.rest = m->records[n->record].first, .asleep = asleep_at(x, n)};
    m->way_count = 1;
}

/* Goes to the next step on the way; whether an execution that ends there was looked at. */
static int go_to_next(core *c) {
    executions *x = c->executions;
    past_states *m = &x->remembered_past;
    continuing *at = &m->way[m->way_count - 1];
    if (at->rest == 0) {
        if (at->executed) go_back(c, 1);
        else if (--m->way_count > 0) m->blocked--;
        if (at->executed) m->way_count--;
        return 0;
    }
    known_step its = m->steps[at->rest];
    uint64_t asleep = at->asleep;
    at->rest = its.next;
    int executed = !(asleep & BIT(its.its.thread)) && !is_blocked(x, its.its);
    if (executed) asleep = asleep_after(x, asleep, its.its.access), go_on(c, &its);
    if (c->over) return 0;
    const state_record *then = &m->records[its.then];
    if (then->first != 0) {
        if (!room_for((void **)&m->way, &m->way_room, m->way_count + 1, sizeof *m->way)) return used_up(c), 0;
        m->way[m->way_count++] = (continuing){then->first, its.its, asleep, executed};
        m->blocked += !executed;
        return 0;
    }
    int is_whole = executed && m->blocked == 0, found = is_whole || is_unseen(c);
    if (found) look_at_races(c, is_whole);
    if (executed && !c->over) go_back(c, m->records[its.then].state != 0);
    return found;
}

int remembered_follow(core *c) {
    executions *x = c->executions;
    past_states *m = &x->remembered_past;
    if (!m->follows) {
        begin_to_follow(c);
        if (!c->over && m->way[0].rest == 0) look_at_races(c, 1);
    }
    for (int k = 0; k < 64 && m->way_count > 0 && !c->over;) k += go_to_next(c);
    if (m->way_count == 0) m->follows = 0;
    return m->way_count > 0;
}

/* -- all of it ------------------------------------------------------------------------------ */

int remembered_new(core *c) {
    past_states *m = &c->executions->remembered_past;
    return !remembers(c) ||
           (interner_new(&m->states) && interner_new(&m->rests) && interner_new(&m->seen) && stored_new(c));
}

size_t remembered_bytes(const executions *x) {
    const past_states *m = &x->remembered_past;
    return interner_bytes(&m->states) + interner_bytes(&m->rests) + interner_bytes(&m->seen) +
           m->record_count * sizeof *m->records + m->step_count * sizeof *m->steps + m->wait_count * sizeof *m->waits +
           m->slept_count * sizeof *m->slept + m->sleeper_count * sizeof *m->sleepers +
           m->set_count * sizeof *m->sets + m->state_room * sizeof *m->first;
}

int remembered_again(core *c) {
    past_states *m = &c->executions->remembered_past;
    if (!remembers(c)) return 1;
    remembered_free(c->executions);
    memset(m, 0, sizeof *m);
    return interner_new(&m->states) && interner_new(&m->rests) && interner_new(&m->seen);
}

void remembered_free(executions *x) {
    past_states *m = &x->remembered_past;
    interner_free(&m->states), interner_free(&m->rests), interner_free(&m->seen);
    free(m->records), free(m->steps), free(m->waits), free(m->slept), free(m->first), free(m->words);
    free(m->way), free(m->wanted), free(m->sleepers), free(m->sets);
}
