/* Which states the reference has to look at, for properties that look at states: tests that hold
 * wherever its own may hold (`abpress/semantics/circles.py`, `abpress/semantics/standing.py`). What
 * it knows once for all, of threads as they stand or of kinds of accesses, it is asked for, and that
 * is kept. */
#include <stdlib.h>
#include <string.h>

#include "executions.h"

int answer(core *c, enum event event, int one, int other, const word *key, int asks) {
    uint32_t number = interner_number(&c->asked, key, 3);
    if (number == 0) return refuse(c, "memory is used up"), 0;
    if (number >= c->answer_room) {
        size_t room = 2 * (size_t)number;
        int *more = realloc(c->answers, room * sizeof *more);
        if (more == NULL) return refuse(c, "memory is used up"), 0;
        memset(more + c->answer_room, 0, (room - c->answer_room) * sizeof *more);
        c->answers = more, c->answer_room = room;
    }
    if (c->answers[number] == 0 && asks) c->answers[number] = c->tell(event, one, other);
    return c->answers[number];
}

static int known_of_thread(core *c, enum event event, int thread, int asks) {
    uint32_t its = c->executions == NULL ? c->row[c->chunks + (size_t)thread] : local_number(c, thread);
    const word key[] = {event, thread, its};
    return answer(c, event, thread, 0, key, asks);
}

/* Whether threads that may wait for one another do so in a circle, or one of them is new. */
static int may_wait_in_circle(core *c, int asks) {
    int after[MOST_THREADS + 1] = {0}, found = 0;
    for (int t = 1; t <= c->thread_count; t++) {
        word pc = thread_of(c, t)[0];
        if (pc < 0 || !c->p.locations[pc].waits) continue;
        if (!known_of_thread(c, EVENT_WAITS, t, asks)) found = 1;
        after[t] = machine_first_read(c, t);
        if (after[t] < 0) found = 1;
    }
    for (int t = 1; t <= c->thread_count && !found; t++) {
        int at = t;
        for (int k = 0; k < c->thread_count && at > 0; k++) {
            at = after[at];
            if (at == t) found = 1;
        }
    }
    return found;
}

/* Whether two threads stand before accesses that may race. */
static int may_race(core *c, int asks) {
    const program *p = &c->p;
    int found = 0;
    for (int t = 1; t <= c->thread_count; t++) {
        word pc = thread_of(c, t)[0];
        if (pc < 0 || p->locations[pc].racing == 0) continue;
        const unsigned char *races = p->races + (p->locations[pc].racing - 1) * p->h.racing;
        for (int u = t + 1; u <= c->thread_count; u++) {
            word there = thread_of(c, u)[0];
            if (there < 0 || p->locations[there].racing == 0) continue;
            if (!races[p->locations[there].racing - 1]) continue;
            int one = known_of_thread(c, EVENT_ACCESSES, t, asks);
            int other = known_of_thread(c, EVENT_ACCESSES, u, asks);
            const word key[] = {EVENT_APART, one, other};
            if (one == 0 || other == 0 || !answer(c, EVENT_APART, one, other, key, asks)) found = 1;
        }
    }
    return found;
}

void look(core *c) {
    if (c->depth != 1 && !may_wait_in_circle(c, 0) && !may_race(c, 0)) return;
    if (c->tell(EVENT_VISIT, 0, 0)) c->over = 1;
    if (c->over) return;
    may_wait_in_circle(c, 1);
    may_race(c, 1);
}
