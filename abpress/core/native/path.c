/* Happens-before on the path of a search that stores states, as `abpress/reductions/stateful/path.py`: the
 * events are the steps that were taken at its states, but for those of threads that are explored alone. */
#include "dynamic.h"

static state_node *node_of(const graph *g, size_t event) { return &g->nodes[g->traced.its[event]]; }

void path_races(core *c, int thread, uint32_t access) {
    graph *g = c->graph;
    size_t count = relate_here(c, thread, access);
    g->markings++;
    for (size_t k = 0; k < count; k++) node_of(g, (size_t)g->path.found[k])->marked = g->markings;
}

void path_unordered(core *c, int thread) {
    graph *g = c->graph;
    const executions *x = &g->path;
    cut past = {{0}};
    int known = thread;
    g->markings++;
    if (x->event_count == 0) return;
    uint64_t threads = node_of(g, x->event_count - 1)->threads;
    while (known > 0 && !(threads & BIT(known))) known = c->creators[known];
    int before = known > 0 ? x->last[known] : NOBODY;
    if (known > 0 && before == NOBODY) before = creation_of(c, known);
    if (before != NOBODY) past = x->pasts[before];
    for (size_t e = 0; e < x->event_count; e++)
        if (x->events[e].thread != thread && !is_in_past(x, &past, e)) node_of(g, e)->marked = g->markings;
}

void path_step(core *c, state_node *n) {
    graph *g = c->graph;
    int t = n->explored.order[n->explored.count - 1];
    uint32_t access = next_of(c, n, t)->access;
    path_leave(c, n);
    path_races(c, t, access);
    g->traced.count = g->path.event_count;
    n->traced = push_event(c, t, access) && numbers_add(&g->traced, (int32_t)(n - g->nodes));
    if (!n->traced) refuse(c, "memory is used up");
}

void path_leave(core *c, state_node *n) {
    if (n->traced) pop_event(c);
    n->traced = 0;
}
