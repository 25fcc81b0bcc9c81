/* Whether the explored threads of a state suffice, and which to add if not, as
 * `abpress/reductions/stateful/source_sets.py`. */
#include "dynamic.h"

/* Whether all steps of the thread lead to complete states, or violate a property. */
int leads_to_visited(core *c, const state_node *n, int thread) {
    graph *g = c->graph;
    size_t at = next_of(c, n, thread)->outcomes;
    int32_t count = g->outcomes.its[at++];
    for (; count > 0; count--) {
        int32_t length = g->outcomes.its[at++], serial = g->outcomes.its[at++];
        if (length > 0 && serial == 0) {
            const uint32_t *row = (const uint32_t *)g->outcomes.its + at;
            serial = (int32_t)graph_serial(c, row, (size_t)length);
            g->outcomes.its[at - 1] = serial;
            if (serial == 0) return 0;
        }
        if (length > 0 && g->of[serial].low != 0) return 0;
        at += (size_t)length;
    }
    return 1;
}

int visited_first(core *c, state_node *n, const unsigned char *threads, int count) {
    for (int k = 0; k < count; k++)
        if (leads_to_visited(c, n, threads[k])) return threads[k];
    return count == 0 ? 0 : threads[0];
}

/* A thread that is missing in the smallest closed set around t; any if the set has a thread that does not
 * go on. 0: nothing is missing. NOTE(waiting-threads) */
static int missing_of(core *c, state_node *n, int t, uint64_t remaining, current_of current) {
    thread_list closed = {0};
    list_thread(&closed, t);
    for (int j = 0; j < closed.count; j++) {
        int w = closed.order[j], moves = (n->moves & BIT(w)) != 0, u;
        if (moves && !(n->goes_on & BIT(w))) return __builtin_ctzll(remaining) + 1;
        for (int k = 0; (u = current(c, n, moves ? w : t, w, k)) != 0; k++) {
            while (u > 0 && !(n->threads & BIT(u))) u = c->creators[u];
            if (c->over || u <= 0) return refuse(c, "internal error: a thread of nobody"), 0;
            if (remaining & BIT(u)) return u;
            list_thread(&closed, u);
        }
    }
    return 0;
}

void missing_threads(core *c, state_node *n, current_of current, thread_list *found) {
    uint64_t remaining = n->moves & ~n->explored.set;
    *found = (thread_list){0};
    for (int k = 0; k < n->explored.count; k++) {
        int u = missing_of(c, n, n->explored.order[k], remaining, current);
        if (u == 0 || c->over) {
            *found = (thread_list){0};
            return;
        }
        list_thread(found, u);
    }
}
