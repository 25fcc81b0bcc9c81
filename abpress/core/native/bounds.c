/* Bounds of executions, as `abpress/search/bounds.py`: a thread that has come back to a place too often,
 * or has taken many steps, does not go on. */
#include <stdlib.h>
#include <string.h>

#include "executions.h"

static size_t places(const core *c) { return LANES * (size_t)c->p.h.locations; }

int bounds_new(core *c, uint64_t most_steps, uint64_t unroll) {
    bounds *b = &c->executions->bounds;
    b->most_steps = most_steps, b->unroll = unroll;
    if (unroll == NO_BOUND) return 1;
    b->visits = calloc(places(c), sizeof *b->visits);
    return b->visits != NULL;
}

void bounds_again(core *c) {
    bounds *b = &c->executions->bounds;
    if (b->visits != NULL) memset(b->visits, 0, places(c) * sizeof *b->visits);
    b->executions = 0;
}

static int is_entry(const core *c, word pc) {
    for (word k = 0; k < c->p.h.templates; k++)
        if (c->p.entries[k] == pc) return 1;
    return 0;
}

/* Whether the thread, which has come to a place, has been there too often; begun there counts, too. */
static int is_unrolled(core *c, node *n, int thread) {
    bounds *b = &c->executions->bounds;
    word pc = thread_of(c, thread)[0];
    n->place = (size_t)thread * (size_t)c->p.h.locations + (size_t)pc;
    return (uint64_t)b->visits[n->place]++ + (uint64_t)is_entry(c, pc) > b->unroll;
}

void bounds_arrive(core *c, node *n, uint64_t before, int thread) {
    executions *x = c->executions;
    bounds *b = &x->bounds;
    n->cut = before, n->place = 0;
    int by = NO_CUT;
    if (n->threads & BIT(thread)) {
        if (x->events[x->event_count - 1].number + 1 >= b->most_steps) by = CUT_BY_STEPS;
        if (b->visits != NULL && is_unrolled(c, n, thread)) by = CUT_BY_UNROLLING;
    }
    if (by != NO_CUT) {
        n->cut |= BIT(thread);
        if (!(b->told & 1 << by) && c->tell(EVENT_CUT, by, 0)) c->over = 1;
        b->told |= 1 << by;
    }
    n->threads &= ~n->cut;
    if (n->cut != 0 && remembers(c)) x->uncertain = x->loose = 1;
}

void bounds_back(executions *x, const node *n) {
    if (n->place != 0) x->bounds.visits[n->place]--;
}
