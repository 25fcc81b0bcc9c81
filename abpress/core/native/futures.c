/* The graph, and what happens behind its states, as `Retraversed` of
 * `abpress/reductions/stateful/futures.py`: a traversal can stop at each move, and go on from there. */
#include <stdlib.h>
#include <string.h>

#include "dynamic.h"

static int add(core *c, uint32_t number) {
    if (numbers_add(&c->graph->moves, (int32_t)number)) return 1;
    refuse(c, "memory is used up");
    return 0;
}

void futures_leave(core *c, const state_node *n) {
    graph *g = c->graph;
    if (g->moves.count >= UINT32_MAX) {
        refuse(c, "too many steps between states");
        return;
    }
    g->of[n->serial].moves = (uint32_t)g->moves.count;
    size_t arrival = n->arrivals;
    for (int k = 0; k < n->explored.count; k++) {
        int t = n->explored.order[k];
        size_t first = arrival;
        while (arrival < g->arrivals.count && g->arrivals.its[arrival] == t) arrival += 2;
        int plain = c->p.locations[thread_of(c, t)[0]].compound ? 0 : PLAIN;
        if (!add(c, (uint32_t)(t | plain)) || !add(c, n->safe ? 0 : next_of(c, n, t)->access)) return;
        if (!add(c, (uint32_t)((arrival - first) / 2))) return;
        for (; first < arrival; first += 2)
            if (!add(c, (uint32_t)g->arrivals.its[first + 1])) return;
    }
    for (uint64_t rest = n->safe ? 0 : n->threads & ~n->moves; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        if (!add(c, (uint32_t)t) || !add(c, next_of(c, n, t)->access) || !add(c, 0)) return;
    }
    add(c, 0);
}

/* -- traversals ----------------------------------------------------------------------------- */

lazily *lazy_new(core *c) {
    graph *g = c->graph;
    if (g->lazy_count == g->lazies_made) {
        if (!room_for((void **)&g->lazies, &g->lazy_room, g->lazy_count + 1, sizeof *g->lazies))
            return refuse(c, "memory is used up"), NULL;
        memset(&g->lazies[g->lazies_made++], 0, sizeof *g->lazies);
    }
    return &g->lazies[g->lazy_count++];
}

void traversal_begin(core *c, lazily *its) {
    graph *g = c->graph;
    if (++g->stamp == 0) refuse(c, "too many traversals");
    its->stamp = g->stamp;
    its->seen_count = its->todo.count = its->at = 0;
    its->is_over = 0;
    its->found = (thread_list){0};
    g->traversals++;
}

/* Where the state is, or would be, among those that were seen. */
static uint64_t *place_of(const lazily *its, uint32_t serial) {
    size_t mask = its->seen_room - 1, k = (size_t)mixed(serial) & mask;
    uint64_t entry = (uint64_t)its->stamp << 32 | serial;
    while (its->seen[k] >> 32 == its->stamp && its->seen[k] != entry) k = (k + 1) & mask;
    return &its->seen[k];
}

static int widen(lazily *its) {
    lazily more = *its;
    more.seen_room = its->seen_room == 0 ? 16 : 2 * its->seen_room;
    more.seen = calloc(more.seen_room, sizeof *more.seen);
    if (more.seen == NULL) return 0;
    for (size_t k = 0; k < its->seen_room; k++)
        if (its->seen[k] >> 32 == its->stamp) *place_of(&more, (uint32_t)its->seen[k]) = its->seen[k];
    free(its->seen);
    its->seen = more.seen, its->seen_room = more.seen_room;
    return 1;
}

int traversal_add(core *c, lazily *its, uint32_t serial) {
    if (2 * (its->seen_count + 1) > its->seen_room && !widen(its)) return refuse(c, "memory is used up"), 0;
    uint64_t *place = place_of(its, serial), entry = (uint64_t)its->stamp << 32 | serial;
    if (*place == entry) return 1;
    *place = entry;
    its->seen_count++;
    return numbers_add(&its->todo, (int32_t)serial) ? 1 : (refuse(c, "memory is used up"), 0);
}

void lazy_begin(core *c, const state_node *n, lazily *its) {
    const graph *g = c->graph;
    traversal_begin(c, its);
    for (size_t k = n->arrivals; k < g->arrivals.count; k += 2)
        if (g->arrivals.its[k] == its->t && !traversal_add(c, its, (uint32_t)g->arrivals.its[k + 1])) return;
}

/* `at` is behind the move that was told last, 0 where the next state is to be taken. The states that a move
 * leads to are met when the traversal goes on, as those of a generator. */
int traversal_next(core *c, lazily *its, uint32_t *access) {
    graph *g = c->graph;
    while (!its->is_over && !c->over) {
        const int32_t *moves = g->moves.its;
        if (its->at == 0) {
            if (its->todo.count == 0) {
                its->is_over = 1;
                break;
            }
            its->at = 1 + (size_t)g->of[its->todo.its[--its->todo.count]].moves;
        } else {
            const int32_t *last = moves + its->at - 1;
            for (int32_t k = 0; k < last[2]; k++)
                if (!traversal_add(c, its, (uint32_t)last[MOVE_HEAD + k])) return 0;
            its->at += MOVE_HEAD + (size_t)last[2];
        }
        const int32_t *move = moves + its->at - 1;
        if (move[0] == 0) {
            its->at = 0;
            continue;
        }
        g->looked_at++;
        if (move[1] == 0) continue;
        *access = (uint32_t)move[1];
        return thread_of_move(move);
    }
    return 0;
}
