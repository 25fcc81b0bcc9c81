/* Per state, what each thread accesses in its future, as `Summarised` of
 * `abpress/reductions/stateful/futures.py`: threads in the order in which they were added, each with a
 * union. Summaries with the same are one, that which was made first. */
#include <stdlib.h>

#include "dynamic.h"

typedef struct {
    thread_list threads;
    uint32_t of[LANES];
} summary;

static void add(core *c, summary *its, int thread, uint32_t number) {
    its->of[thread] = is_listed(&its->threads, thread) ? union_of_either(c, its->of[thread], number) : number;
    list_thread(&its->threads, thread);
}

static void unite(core *c, summary *its, uint32_t known) {
    word words[2 * LANES];
    size_t length = interner_words(&c->graph->summaries, known, words);
    for (size_t k = 0; k < length; k += 2) add(c, its, (int)words[k], (uint32_t)words[k + 1]);
}

static uint32_t in_order(core *c, const summary *its) {
    word words[2 * LANES];
    size_t length = 0;
    for (int k = 0; k < its->threads.count; k++) {
        words[length++] = its->threads.order[k];
        words[length++] = its->of[its->threads.order[k]];
    }
    uint32_t number = interner_number(&c->graph->summaries, words, length);
    if (number == 0) refuse(c, "memory is used up");
    return number;
}

size_t summary_of(const core *c, uint32_t serial, word *words) {
    return interner_words(&c->graph->summaries, c->graph->of[serial].summary, words);
}

void summaries_leave(core *c, const state_node *n) {
    graph *g = c->graph;
    summary its = {{0}, {0}};
    size_t arrival = n->arrivals;
    for (int k = 0; k < n->explored.count && !c->over; k++) {
        int t = n->explored.order[k];
        if (!n->safe) add(c, &its, t, union_of_access(c, next_of(c, n, t)->access));
        for (; arrival < g->arrivals.count && g->arrivals.its[arrival] == t; arrival += 2) {
            uint32_t known = g->of[g->arrivals.its[arrival + 1]].summary;
            if (known != 0) unite(c, &its, known);
        }
    }
    for (uint64_t rest = n->safe ? 0 : n->threads & ~n->moves; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        add(c, &its, t, union_of_access(c, next_of(c, n, t)->access));
    }
    g->of[n->serial].summary = in_order(c, &its);
}

void summaries_complete(core *c, const int32_t *serials, size_t count) {
    graph *g = c->graph;
    summary its = {{0}, {0}};
    word words[2 * LANES];
    size_t length = 0, before = g->summary_sets.count;
    for (size_t k = count; k-- > 0 && !c->over;) unite(c, &its, g->of[serials[k]].summary);
    for (uint64_t rest = its.threads.set; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        words[length++] = t, words[length++] = its.of[t];
    }
    uint32_t set = interner_number(&g->summary_sets, words, length), number = in_order(c, &its);
    if (set == 0 || !room_for((void **)&g->first_summary, &g->first_room, (size_t)set + 1, sizeof *g->first_summary)) {
        refuse(c, "memory is used up");
        return;
    }
    if (g->summary_sets.count > before) g->first_summary[set] = number;
    for (size_t k = 0; k < count; k++) g->of[serials[k]].summary = g->first_summary[set];
}

void summaries_look(core *c, const state_node *n, lazily *its) {
    const graph *g = c->graph;
    summary all = {{0}, {0}};
    its->found = (thread_list){0};
    for (size_t k = n->arrivals; k < g->arrivals.count && !c->over; k += 2)
        if (g->arrivals.its[k] == its->t) unite(c, &all, g->of[g->arrivals.its[k + 1]].summary);
    for (int k = 0; k < all.threads.count && !c->over; k++) {
        int thread = all.threads.order[k];
        if (union_conflicts(c, all.of[thread], its->access)) list_thread(&its->found, thread);
    }
}
