/* Futures without what happens after a later step of the thread, as
 * `abpress/reductions/stateful/ordered.py`. A state is looked at after all states that lead to it: its moves
 * stand behind those of states that were left before. */
#include <stdlib.h>
#include <string.h>

#include "dynamic.h"

/* Where the state is among those that are known, or would be: a place of the table, in which a number below
 * the stamp is that of the known state, from 1 on. */
static uint64_t *place_of(const lazily *its, uint32_t serial) {
    size_t mask = its->seen_room - 1, k = (size_t)mixed(serial) & mask;
    while (its->seen[k] >> 32 == its->stamp && its->after[(uint32_t)its->seen[k] - 1].serial != serial)
        k = (k + 1) & mask;
    return &its->seen[k];
}

static int widen(lazily *its) {
    free(its->seen);
    its->seen_room = its->seen_room == 0 ? 16 : 2 * its->seen_room;
    its->seen = calloc(its->seen_room, sizeof *its->seen);
    if (its->seen == NULL) return 0;
    for (size_t k = 0; k < its->after_count; k++)
        *place_of(its, its->after[k].serial) = (uint64_t)its->stamp << 32 | (k + 1);
    return 1;
}

static size_t rank(const core *c, const lazily *its, size_t k) {
    return c->graph->of[its->after[its->todo.its[k]].serial].moves;
}

static void swap(lazily *its, size_t j, size_t k) {
    int32_t other = its->todo.its[j];
    its->todo.its[j] = its->todo.its[k], its->todo.its[k] = other;
}

/* Takes the state that was left last. */
static after_state take(const core *c, lazily *its) {
    after_state found = its->after[its->todo.its[0]];
    its->todo.its[0] = its->todo.its[--its->todo.count];
    for (size_t k = 0;;) {
        size_t child = 2 * k + 1;
        if (child >= its->todo.count) return found;
        if (child + 1 < its->todo.count && rank(c, its, child + 1) > rank(c, its, child)) child++;
        if (rank(c, its, k) >= rank(c, its, child)) return found;
        swap(its, k, child);
        k = child;
    }
}

/* That a path leads to the state behind which these steps happen after one of the thread. */
static int reach(core *c, lazily *its, uint32_t serial, uint64_t threads, uint32_t together) {
    if (2 * (its->after_count + 1) > its->seen_room && !widen(its)) return refuse(c, "memory is used up"), 0;
    uint64_t *place = place_of(its, serial);
    if (*place >> 32 == its->stamp) {
        after_state *known = &its->after[(uint32_t)*place - 1];
        known->threads &= threads;
        known->together = union_of_both(c, known->together, together);
        return !c->over;
    }
    if (!room_for((void **)&its->after, &its->after_room, its->after_count + 1, sizeof *its->after) ||
        !numbers_add(&its->todo, (int32_t)its->after_count))
        return refuse(c, "memory is used up"), 0;
    its->after[its->after_count++] = (after_state){serial, together, threads};
    *place = (uint64_t)its->stamp << 32 | its->after_count;
    for (size_t k = its->todo.count - 1; k > 0 && rank(c, its, k) > rank(c, its, (k - 1) / 2); k = (k - 1) / 2)
        swap(its, k, (k - 1) / 2);
    return 1;
}

void ordered_begin(core *c, const state_node *n, lazily *its) {
    const graph *g = c->graph;
    uint32_t nothing = union_of_nothing(c);
    its->after_count = 0, its->is_plain = 0;
    traversal_begin(c, its);
    for (size_t k = n->arrivals; k < g->arrivals.count && !c->over; k += 2)
        if (g->arrivals.its[k] == its->t) reach(c, its, (uint32_t)g->arrivals.its[k + 1], 0, nothing);
}

/* Looks at the move behind what is at hand; returns its thread if it has to be explored where it is not
 * known yet. */
static int look_at_move(core *c, lazily *its, const int32_t *move) {
    int thread = thread_of_move(move), ordered = thread == its->t || (its->before.threads & BIT(thread));
    uint32_t access = (uint32_t)move[1];
    c->graph->looked_at++;
    if (access != 0 && !ordered) ordered = union_conflicts(c, its->before.together, access);
    its->behind = its->before;
    if (ordered) {
        its->behind.threads |= BIT(thread);
        if (access != 0)
            its->behind.together = union_of_either(c, its->behind.together, union_of_access(c, access));
    }
    if (access == 0 || ordered || is_listed(&its->found, thread)) return 0;
    return in_conflict(&c->graph->footprints, access, its->access) ? thread : 0;
}

int ordered_next(core *c, const state_node *n, lazily *its) {
    graph *g = c->graph;
    uint32_t access;
    int thread = 0;
    while (!its->is_over && !its->is_plain && !c->over) {
        if (its->at == 0) {
            if (its->todo.count == 0) {
                its->is_over = 1;
                break;
            }
            its->before = take(c, its);
            if (g->of[its->before.serial].cyclic) {
                thread_list found = its->found;
                its->is_plain = 1;
                lazy_begin(c, n, its);
                its->found = found;
                break;
            }
            its->at = 1 + (size_t)g->of[its->before.serial].moves;
        } else {
            size_t last = its->at - 1;
            for (int32_t k = 0; k < g->moves.its[last + 2]; k++)
                if (!reach(c, its, (uint32_t)g->moves.its[last + MOVE_HEAD + (size_t)k], its->behind.threads,
                           its->behind.together))
                    return 0;
            its->at += MOVE_HEAD + (size_t)g->moves.its[last + 2];
        }
        const int32_t *move = g->moves.its + its->at - 1;
        if (move[0] == 0) its->at = 0;
        else if ((thread = look_at_move(c, its, move)) != 0) return thread;
    }
    while (its->is_plain && (thread = traversal_next(c, its, &access)) != 0)
        if (thread != its->t && !is_listed(&its->found, thread) &&
            in_conflict(&g->footprints, access, its->access))
            return thread;
    return 0;
}
