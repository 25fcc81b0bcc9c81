/* What random executions show where they stand, as `abpress/search/hunt/watch.py` and `hunt.py`: the reference is
 * asked where that may be something. */
#include <string.h>

#include "hunt.h"

enum { MOST_LOOKS = 32, MOST_BESIDE = 64, MAY_BE_STUCK = 1, MAY_BE_CIRCLE = 2 };

/* -- races ---------------------------------------------------------------------------------- */

/* The kind of what a thread is about to access, 0 for none. */
static word racing_at(const core *c, int thread) {
    word pc = thread_of(c, thread)[0];
    return pc < 0 ? 0 : c->p.locations[pc].racing;
}

/* The number of what a thread is about to access, as it stands; 0 as long as that is not known once for all. */
static int accesses_of(core *c, int thread, int asks) {
    const word *its = thread_of(c, thread);
    uint32_t number = interner_number(&c->hunt->standing, its, 1 + (size_t)c->p.locations[its[0]].length);
    if (number == 0) return refuse(c, "memory is used up"), 0;
    const word key[] = {EVENT_ACCESSES, thread, number};
    return answer(c, EVENT_ACCESSES, thread, 0, key, asks);
}

/* Counts the looks at two places; whether this one is taken. */
static int has_its_turn(core *c, int one, int other) {
    hunt *h = c->hunt;
    word a = thread_of(c, one)[0], b = thread_of(c, other)[0];
    const word pair[] = {a < b ? a : b, a < b ? b : a};
    size_t before = h->pairs.count, k = interner_number(&h->pairs, pair, 2);
    if (k == 0 || !room_for((void **)&h->looks, &h->look_room, k + 1, sizeof *h->looks)) {
        refuse(c, "memory is used up");
        return 0;
    }
    if (h->pairs.count > before) h->looks[k] = 0;
    int64_t looks = ++h->looks[k];
    return looks <= MOST_LOOKS || (looks & (looks - 1)) == 0;
}

/* Whether nothing more is to be found of the first thread: it races with the other one. */
static int is_race(core *c, int thread, int other) {
    hunt *h = c->hunt;
    int mine = accesses_of(c, thread, 0), others = accesses_of(c, other, 0);
    const word key[] = {EVENT_APART, mine, others};
    if (mine && others) {
        if (answer(c, EVENT_APART, mine, others, key, 1)) return 0;
    } else if (!has_its_turn(c, thread, other)) {
        return 0;
    }
    if (c->over) return 1;
    int found = c->tell(EVENT_VISIT, thread, other);
    if (found == 2) h->way = VIOLATION;
    accesses_of(c, thread, 1), accesses_of(c, other, 1);
    return found;
}

void watch(core *c, int place) {
    hunt *h = c->hunt;
    const hunt_list *lists[] = {&h->active, &h->parked, &h->held, &h->pool};
    int thread = h->threads[place];
    word kind = racing_at(c, thread);
    if (kind == 0) return;
    const unsigned char *races = c->p.races + (kind - 1) * c->p.h.racing;
    for (size_t l = 0; l < 4; l++)
        for (size_t k = 0; k < lists[l]->count && (l < 3 || k < MOST_BESIDE); k++) {
            int other = h->threads[lists[l]->its[k]];
            word beside = racing_at(c, other);
            if (other == thread || beside == 0 || !races[beside - 1]) continue;
            if (is_race(c, thread, other)) return;
        }
}

/* -- ends and circles ----------------------------------------------------------------------- */

/* Whether no thread can move, and all wait for one another, as far as an attempt of each tells. */
static int may_be_stuck(core *c) {
    hunt *h = c->hunt;
    uint64_t threads = machine_threads(c);
    int may_be = threads != 0;
    for (; threads != 0 && may_be && !c->over; threads &= threads - 1) {
        size_t before = c->change_count;
        enum outcome found = machine_step(c, __builtin_ctzll(threads) + 1);
        machine_undo(c, before);
        if (found == STEPS || found == VIOLATES || (found == ASSUMES && h->taken_count == 0 && !h->fault)) may_be = 0;
        h->taken_count = 0;
    }
    return may_be;
}

/* Whether threads would wait for one another in a circle. */
static int may_be_circle(core *c) {
    int after[MOST_THREADS + 1] = {0};
    for (uint64_t rest = machine_threads(c); rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        if (!c->p.locations[thread_of(c, t)[0]].waits) continue;
        after[t] = machine_first_read(c, t);
        size_t choices = c->hunt->taken_count;
        c->hunt->taken_count = 0;
        if (after[t] < 0 || choices > 0) return 1;
    }
    for (int t = 1; t <= c->thread_count; t++)
        for (int at = after[t], k = 0; at > 0 && k < c->thread_count; at = after[at], k++)
            if (at == t) return 1;
    return 0;
}

/* Whether the state of the execution may be one in which all threads wait for one another (1), or some in a
 * circle (2). Nothing is drawn for it. */
int core_hunt_shows(core *c) {
    hunt *h = c->hunt;
    if (h == NULL || h->ahead == NULL || c->over) return 0;
    chance before = h->chance;
    int fault = h->fault;
    h->fault = 0;
    int found = may_be_circle(c) ? MAY_BE_CIRCLE : 0;
    c->silent = 1;
    if (may_be_stuck(c)) found |= MAY_BE_STUCK;
    c->silent = 0;
    h->fault = fault;
    h->chance = before;
    return found;
}
