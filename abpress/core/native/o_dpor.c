/* O-DPOR on stored states, as `abpress/reductions/stateful/o_dpor.py`, which has the argument: where no closed set
 * is explored, those threads suffice of which each race behind their steps has an initial. */
#include <stdlib.h>
#include <string.h>

#include "dynamic.h"

enum { FEW_SLOTS = 1 << 10 };

static uint64_t hash_of(const behind_step *its) {
    uint64_t h = (uint64_t)its->state << 32 | its->after_together;
    h = mixed(h ^ its->after) ^ its->together;
    return mixed(mixed(h ^ its->threads) ^ its->initials);
}

static int are_equal(const behind_step *one, const behind_step *other) {
    return one->state == other->state && one->after_together == other->after_together &&
           one->together == other->together && one->after == other->after &&
           one->threads == other->threads && one->initials == other->initials;
}

static uint32_t *place_of(const race_search *its, const behind_step *path) {
    size_t mask = its->slot_room - 1, k = (size_t)hash_of(path) & mask;
    while (its->slots[k] != 0 && !are_equal(&its->all[its->slots[k] - 1], path)) k = (k + 1) & mask;
    return &its->slots[k];
}

static int widen(race_search *its) {
    free(its->slots);
    its->slot_room = its->slot_room == 0 ? 16 : 2 * its->slot_room;
    its->slots = calloc(its->slot_room, sizeof *its->slots);
    if (its->slots == NULL) return 0;
    for (size_t k = 0; k < its->count; k++) *place_of(its, &its->all[k]) = (uint32_t)k + 1;
    return 1;
}

/* A path that is to be looked at, if it is new. */
static int add(core *c, race_search *its, const behind_step *path) {
    if (2 * (its->count + 1) > its->slot_room && !widen(its)) return refuse(c, "memory is used up"), 0;
    uint32_t *place = place_of(its, path);
    if (*place != 0) return 1;
    if (its->count >= INT32_MAX || !numbers_add(&its->todo, (int32_t)its->count) ||
        !room_for((void **)&its->all, &its->room, its->count + 1, sizeof *its->all))
        return refuse(c, "memory is used up"), 0;
    its->all[its->count++] = *path;
    *place = (uint32_t)its->count;
    return 1;
}

/* -- races ---------------------------------------------------------------------------------- */

/* Looks at a move behind a path; whether it races with the step of p, which is kept then. */
static int look_at_move(core *c, race_search *its, const int32_t *move) {
    graph *g = c->graph;
    uint64_t bit = BIT(thread_of_move(move));
    uint32_t access = (uint32_t)move[1];
    const behind_step *b = &its->before;
    uint64_t first = b->initials;
    if (!(b->threads & bit) && !(access != 0 && union_conflicts(c, b->together, access))) first |= bit;
    int later = (b->after & bit) || (access != 0 && union_conflicts(c, b->after_together, access));
    int races = !later && access != 0 && in_conflict(&g->footprints, access, its->access);
    uint32_t together = access != 0 ? union_of_access(c, access) : union_of_nothing(c);
    its->behind = *b;
    if (later || races) {
        its->behind.after |= bit;
        its->behind.after_together = union_of_either(c, b->after_together, together);
    } else {
        its->behind.threads |= bit;
        its->behind.together = union_of_either(c, b->together, together);
        its->behind.initials = first;
    }
    if (!races) return 0;
    if (!room_for((void **)&its->found, &its->found_room, its->found_count + 1, sizeof *its->found))
        return refuse(c, "memory is used up"), 0;
    its->found[its->found_count++] = move[2] > 0 && (move[0] & PLAIN) ? first : 0;
    return 1;
}

/* Whether there is one more race. */
static int find_more(core *c, race_search *its) {
    graph *g = c->graph;
    while (!c->over) {
        if (its->at == 0) {
            if (its->todo.count == 0) return 0;
            its->before = its->all[its->todo.its[--its->todo.count]];
            g->paths++;
            its->at = 1 + (size_t)g->of[its->before.state].moves;
        } else {
            const int32_t *last = g->moves.its + its->at - 1;
            for (int32_t k = 0; k < last[2]; k++) {
                its->behind.state = (uint32_t)last[MOVE_HEAD + k];
                if (!add(c, its, &its->behind)) return 0;
            }
            its->at += MOVE_HEAD + (size_t)last[2];
        }
        const int32_t *move = g->moves.its + its->at - 1;
        if (move[0] == 0) its->at = 0;
        else if (look_at_move(c, its, move)) return 1;
    }
    return 0;
}

static race_search *search_of(core *c, const state_node *n, int p) {
    graph *g = c->graph;
    for (size_t k = n->race_searches; k < g->search_count; k++)
        if (g->searches[k].p == p) return &g->searches[k];
    if (g->search_count == g->searches_made) {
        if (!room_for((void **)&g->searches, &g->search_room, g->search_count + 1, sizeof *g->searches))
            return refuse(c, "memory is used up"), NULL;
        memset(&g->searches[g->searches_made++], 0, sizeof *g->searches);
    }
    race_search *its = &g->searches[g->search_count++];
    if (its->slot_room > FEW_SLOTS) free(its->slots), its->slots = NULL, its->slot_room = 0;
    else if (its->slot_room > 0) memset(its->slots, 0, its->slot_room * sizeof *its->slots);
    its->p = p, its->access = next_of(c, n, p)->access;
    its->count = its->found_count = its->todo.count = its->at = 0;
    behind_step path = {.after = BIT(p), .after_together = union_of_nothing(c)};
    path.together = path.after_together;
    for (size_t k = n->arrivals; k < g->arrivals.count; k += 2) {
        if (g->arrivals.its[k] != p) continue;
        path.state = (uint32_t)g->arrivals.its[k + 1];
        if (!add(c, its, &path)) return NULL;
    }
    return its;
}

void o_dpor_suffice(core *c, const state_node *n, thread_list *found) {
    uint64_t done = n->explored.set, remaining = n->moves & ~done;
    if (done & ~n->goes_on) return;
    for (int k = 0; k < n->explored.count; k++) {
        race_search *its = search_of(c, n, n->explored.order[k]);
        for (size_t j = 0; its != NULL && (j < its->found_count || find_more(c, its)); j++) {
            uint64_t initials = its->found[j], wanted = initials & remaining;
            if (initials == 0) return;
            if (initials & done || wanted == 0) continue;
            *found = (thread_list){0};
            for (; wanted != 0; wanted &= wanted - 1) list_thread(found, __builtin_ctzll(wanted) + 1);
            return;
        }
    }
    *found = (thread_list){0};
}

void o_dpor_free(graph *g) {
    for (size_t k = 0; k < g->searches_made; k++) {
        race_search *its = &g->searches[k];
        free(its->found), free(its->all), free(its->slots), free(its->todo.its);
    }
    free(g->searches);
}
