/* Hybrid POR, as `abpress/reductions/stateful/hybrid.py`: a thread goes on alone whose step is in nobody's way, as
 * far as is known; what is accessed at each location is learnt, and where more is learnt all are tried. */
#include <string.h>

#include "dynamic.h"

static size_t place_of(const core *c, int thread, word pc) {
    return (size_t)thread * (size_t)c->p.h.locations + (size_t)pc;
}

static uint32_t set_of(const graph *g, size_t k) { return g->points_to[g->mentioned.its[k]]; }

/* The access of the thread's next step, which is learnt. */
static uint32_t learn(core *c, const state_node *n, int thread) {
    graph *g = c->graph;
    uint32_t access = next_of(c, n, thread)->access, its = union_of_cells(c, access);
    uint32_t *known = &g->points_to[place_of(c, thread, thread_of(c, thread)[0])];
    if (its == 0) return access;
    if (*known == 0 && !numbers_add(&g->mentioned, (int32_t)(known - g->points_to))) refuse(c, "memory is used up");
    *known = *known == 0 ? its : union_of_either(c, *known, its);
    return access;
}

/* At the states that are marked all threads are tried. */
static void try_all(graph *g, size_t depth) {
    for (size_t k = 0; k < depth; k++) {
        state_node *n = &g->nodes[k];
        if (!n->hopeful || !is_marked(g, n)) continue;
        n->hopeful = 0;
        g->retroactive++;
    }
}

void hybrid_enter(core *c, state_node *n) {
    for (uint64_t rest = n->threads & ~n->moves; rest != 0 && !c->over; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        path_races(c, t, learn(c, n, t));
        try_all(c->graph, c->depth);
    }
}

/* Where the threads of the machine stand. */
static void find_pcs(const core *c, word *pcs) {
    for (int t = 1; t < LANES; t++) pcs[t] = t <= c->thread_count ? thread_of(c, t)[0] : ABSENT;
}

/* Whether another thread may get in the way of the thread's next step later, as far as is known. */
static int interferes(const core *c, const state_node *n, int thread, const word *pcs) {
    const graph *g = c->graph;
    uint32_t access = next_of(c, n, thread)->access;
    for (size_t k = 0; k < g->mentioned.count; k++) {
        int u = (int)(g->mentioned.its[k] / c->p.h.locations);
        if (u != thread && union_conflicts(c, set_of(g, k), access) &&
            may_come(c, pcs, u, g->mentioned.its[k] % c->p.h.locations))
            return 1;
    }
    return 0;
}

int hybrid_wanted(core *c, state_node *n) {
    const graph *g = c->graph;
    uint64_t remaining = n->moves & ~n->explored.set;
    word pcs[LANES];
    int first = remaining == 0 ? 0 : __builtin_ctzll(remaining) + 1;
    if (n->explored.count > 0) return n->hopeful ? 0 : first;
    int mover = g->path.event_count > 0 ? g->path.events[g->path.event_count - 1].thread : 0;
    find_pcs(c, pcs);
    if (mover != 0 && remaining & BIT(mover)) first = mover;
    for (int t = first; t != 0;) {
        remaining &= ~BIT(t);
        if (n->goes_on & BIT(t) && !interferes(c, n, t, pcs)) {
            n->hopeful = 1;
            return t;
        }
        t = remaining == 0 ? 0 : __builtin_ctzll(remaining) + 1;
    }
    return first;
}

void hybrid_step(core *c, state_node *n) {
    learn(c, n, n->explored.order[n->explored.count - 1]);
    if (c->over) return;
    path_step(c, n);
    try_all(c->graph, c->depth);
}

/* NOTE(hybrid-match). */
static void look_behind(core *c, const word *pcs) {
    graph *g = c->graph;
    for (int u = 1; u <= c->thread_count; u++) {
        int marks = 0;
        for (size_t k = 0; k < g->mentioned.count; k++) {
            if (g->mentioned.its[k] / c->p.h.locations != u) continue;
            if (!may_come(c, pcs, u, g->mentioned.its[k] % c->p.h.locations)) continue;
            if (!marks) path_unordered(c, u);
            marks = 1;
            for (size_t e = 0; e < g->path.event_count; e++) {
                state_node *n = &g->nodes[g->traced.its[e]];
                if (!n->hopeful || !is_marked(g, n) ||
                    !union_conflicts(c, set_of(g, k), g->path.events[e].access))
                    continue;
                n->hopeful = 0;
                g->retroactive++;
            }
        }
    }
}

void hybrid_meet(core *c) {
    word pcs[LANES];
    for (int t = 1; t < LANES; t++) {
        size_t column = c->chunks + (size_t)t;
        pcs[t] = ABSENT;
        if (column >= c->states.width || c->row[column] == 0) continue;
        interner_words(&c->frames, c->row[column], c->decoded);
        pcs[t] = c->decoded[0];
    }
    look_behind(c, pcs);
}

void hybrid_look_behind(core *c) {
    word pcs[LANES];
    find_pcs(c, pcs);
    look_behind(c, pcs);
}

void hybrid_counts(const graph *g, uint64_t *sets, uint64_t *determinate) {
    *sets = g->mentioned.count, *determinate = 0;
    for (size_t k = 0; k < g->mentioned.count; k++) *determinate += union_size(&g->unions, set_of(g, k)) <= 1;
}
