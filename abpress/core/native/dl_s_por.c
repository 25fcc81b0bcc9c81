/* DL-S-POR: source sets found lazily, as `abpress/reductions/stateful/dl_s_por.py`: with the graph, with summaries
 * of what happens behind states, or without what happens after a later step. */
#include "dynamic.h"

/* s.current[t] of w, which is looked for once. */
static lazily *lazily_of(core *c, const state_node *n, int t, int w) {
    graph *g = c->graph;
    for (size_t k = n->lazies; k < g->lazy_count; k++)
        if (g->lazies[k].t == t && g->lazies[k].w == w) return &g->lazies[k];
    lazily *its = lazy_new(c);
    if (its == NULL) return NULL;
    its->t = t, its->w = w, its->access = next_of(c, n, w)->access;
    if (c->algorithm == DL_SUMMARIES) summaries_look(c, n, its);
    else if (c->algorithm == DL_HB) ordered_begin(c, n, its);
    else lazy_begin(c, n, its);
    return its;
}

/* One more of its threads; 0 if there is none. */
static int find_more(core *c, const state_node *n, lazily *its) {
    uint32_t access;
    int thread;
    if (c->algorithm == DL_SUMMARIES) return 0;
    if (c->algorithm == DL_HB) return ordered_next(c, n, its);
    while ((thread = traversal_next(c, its, &access)) != 0)
        if (!is_listed(&its->found, thread) && in_conflict(&c->graph->footprints, access, its->access))
            return thread;
    return 0;
}

static int current(core *c, state_node *n, int t, int w, int k) {
    lazily *its = lazily_of(c, n, t, w);
    int thread;
    if (its == NULL) return 0;
    while (k >= its->found.count && (thread = find_more(c, n, its)) != 0) list_thread(&its->found, thread);
    return k < its->found.count ? its->found.order[k] : 0;
}

int dl_wanted(core *c, state_node *n) {
    uint64_t remaining = n->moves & ~n->explored.set;
    thread_list found = {0};
    int all = 1;
    for (uint64_t rest = remaining; rest != 0; rest &= rest - 1) {
        list_thread(&found, __builtin_ctzll(rest) + 1);
        all = all && leads_to_visited(c, n, __builtin_ctzll(rest) + 1);
    }
    if (remaining != 0 && n->explored.count > 0 && !all) {
        missing_threads(c, n, current, &found);
        if (c->algorithm == O_DPOR && found.count > 0) o_dpor_suffice(c, n, &found);
    }
    return visited_first(c, n, found.order, found.count);
}
