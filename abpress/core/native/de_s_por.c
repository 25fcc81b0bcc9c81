/* DE-S-POR: source sets found eagerly, as `abpress/reductions/stateful/de_s_por.py`: each step that is
 * explored is entered at those steps of the path that it depends on, NOTE(last-dependent). */
#include <string.h>

#include "dynamic.h"

/* The lists of a state are those of its explored threads, in their order: of each one for itself, and one
 * for each thread that waits. */
static size_t lists_of_one(const state_node *n) {
    return 1 + (size_t)__builtin_popcountll(n->threads & ~n->moves);
}

void de_update(core *c, int thread, uint32_t access, uint32_t together) {
    graph *g = c->graph;
    for (size_t k = 0; k < c->depth; k++) {
        const state_node *n = &g->nodes[k];
        if (n->watched_count == 0) continue;
        int current = n->explored.order[n->explored.count - 1], apart = is_by_races(c) && !is_marked(g, n);
        thread_list *lists = g->entries + n->entries + (size_t)(n->explored.count - 1) * lists_of_one(n);
        for (size_t j = 0; j < n->watched_count; j++) {
            const watched_step *its = &g->watched[n->watched + j];
            if (its->thread == thread || (apart && its->thread == current)) continue;
            if (access != 0 ? in_conflict(&g->footprints, access, its->access)
                            : union_conflicts(c, together, its->access))
                list_thread(&lists[j], thread);
        }
    }
}

/* UpdateCurr: enters an attempt at the steps that it depends on. */
static void update_current(core *c, int thread, uint32_t access) {
    if (is_by_races(c)) path_races(c, thread, access);
    de_update(c, thread, access, 0);
}

void de_enter(core *c, state_node *n) {
    for (uint64_t rest = n->threads & ~n->moves; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        update_current(c, t, next_of(c, n, t)->access);
    }
}

static int watch(core *c, state_node *n, int thread) {
    graph *g = c->graph;
    if (!room_for((void **)&g->watched, &g->watched_room, g->watched_count + 1, sizeof *g->watched) ||
        !room_for((void **)&g->entries, &g->entry_room, g->entry_count + 1, sizeof *g->entries))
        return refuse(c, "memory is used up"), 0;
    g->watched[g->watched_count++] = (watched_step){thread, next_of(c, n, thread)->access};
    g->entries[g->entry_count++] = (thread_list){0};
    n->watched_count++;
    return 1;
}

void de_step(core *c, state_node *n) {
    int t = n->explored.order[n->explored.count - 1];
    c->graph->watched_count = n->watched, n->watched_count = 0;
    if (is_by_races(c)) path_leave(c, n);
    update_current(c, t, next_of(c, n, t)->access);
    if (!watch(c, n, t)) return;
    for (uint64_t rest = n->threads & ~n->moves; rest != 0; rest &= rest - 1)
        if (!watch(c, n, __builtin_ctzll(rest) + 1)) return;
    if (is_by_races(c)) path_step(c, n);
}

void de_meet(core *c, uint32_t serial) {
    graph *g = c->graph;
    if (is_by_races(c)) {
        dpor_apply(c, serial);
        return;
    }
    lazily *its = lazy_new(c);
    if (its == NULL) return;
    uint32_t access;
    int thread;
    if (!room_for((void **)&g->entered, &g->entered_room, g->footprints.known.count + 1, 1)) {
        refuse(c, "memory is used up");
        return;
    }
    memset(g->entered, 0, g->footprints.known.count + 1);
    traversal_begin(c, its);
    if (!traversal_add(c, its, serial)) return;
    while ((thread = traversal_next(c, its, &access)) != 0) {
        if (!g->entered[access]) update_current(c, thread, access);
        g->entered[access] = 1;
    }
    g->lazy_count--;
}

static int current(core *c, state_node *n, int t, int w, int k) {
    const graph *g = c->graph;
    size_t at = n->entries;
    for (int j = 0; n->explored.order[j] != t; j++) at += lists_of_one(n);
    if (w != t) at += 1 + (size_t)__builtin_popcountll(n->threads & ~n->moves & (BIT(w) - 1));
    return k < g->entries[at].count ? g->entries[at].order[k] : 0;
}

int de_wanted(core *c, state_node *n) {
    thread_list found = {0};
    for (uint64_t rest = n->moves & ~n->explored.set; rest != 0; rest &= rest - 1)
        list_thread(&found, __builtin_ctzll(rest) + 1);
    if (found.count > 0 && n->explored.count > 0) missing_threads(c, n, current, &found);
    return visited_first(c, n, found.order, found.count);
}

void de_leave(core *c, state_node *n) {
    c->graph->watched_count = n->watched, c->graph->entry_count = n->entries;
    n->watched_count = 0;
    if (is_by_races(c)) path_leave(c, n);
}
