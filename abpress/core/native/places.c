/* Nodes of a wakeup tree that is shared, NOTE(native-leaves), and what is inserted there. Most sequences are followed to their
 * end and dropped, so what they walk over is kept together. */
#include <stdlib.h>
#include <string.h>

#include "planner.h"

static int more_places(planner *p) {
    size_t room = 2 * p->room + 64;
    if (room > INT32_MAX) return 0;
    place *all = realloc(p->all, room * sizeof *all);
    if (all != NULL) p->all = all;
    surroundings *around = realloc(p->around, room * sizeof *around);
    if (around != NULL) p->around = around;
    if (all == NULL || around == NULL) return 0;
    p->room = room;
    return 1;
}

/* Room for so many accesses; NULL: without memory. */
static uint32_t *steps_new(planner *p, size_t length) {
    size_t pairs = (length + 1) / 2;
    if (pairs >= PAIRS) return malloc(length * sizeof(uint32_t));
    pair *its = p->spare[pairs];
    if (its != NULL) {
        p->spare[pairs] = its->next;
        return its->accesses;
    }
    if (p->block_left < pairs) {
        pair *block = malloc(BLOCK * sizeof *block);
        if (block == NULL) return NULL;
        block->next = p->block;
        p->block = block, p->block_left = BLOCK - 1;
    }
    return p->block[BLOCK - (p->block_left -= pairs) - pairs].accesses;
}

void steps_free(planner *p, uint32_t b) {
    uint32_t *its = p->all[b].steps;
    size_t pairs = ((size_t)p->all[b].begin + p->all[b].length + 1) / 2;
    p->all[b].steps = NULL;
    if (its == NULL || pairs >= PAIRS) {
        free(its);
        return;
    }
    pair *free_one = (pair *)(void *)its;
    free_one->next = p->spare[pairs];
    p->spare[pairs] = free_one;
}

void blocks_free(planner *p) {
    while (p->block != NULL) {
        pair *before = p->block->next;
        free(p->block);
        p->block = before;
    }
}

int place_make(planner *p, uint32_t b, size_t length) {
    while (b + 1 > p->room)
        if (!more_places(p)) return fail(p, USED_UP), 0;
    uint32_t *steps = length == 0 ? NULL : steps_new(p, length);
    if (length > 0 && steps == NULL) return fail(p, USED_UP), 0;
    for (; p->count < b; p->count++) p->all[p->count + 1] = (place){0};
    p->all[b] = (place){.steps = steps, .length = (uint32_t)length};
    p->around[b] = (surroundings){0};
    return 1;
}

uint32_t place_new(planner *p, size_t length) {
    uint32_t b = p->unused;
    if (b != 0) p->unused = p->all[b].next;
    else if (p->count < INT32_MAX) b = (uint32_t)p->count + 1;
    return b != 0 && place_make(p, b, length) ? b : (fail(p, USED_UP), 0);
}

void place_append(planner *p, uint32_t b, uint32_t parent) {
    surroundings *above = &p->around[parent];
    p->all[b].head = p->all[b].steps[0];
    p->around[b].parent = parent;
    p->around[b].depth = above->depth + p->all[b].length;
    if (above->last != 0) p->all[above->last].next = b;
    else p->all[parent].first = b;
    above->last = b;
}

uint32_t place_add(planner *p, uint32_t parent, const item *v, size_t count) {
    uint32_t b = place_new(p, count);
    if (b == 0) return 0;
    for (size_t k = 0; k < count; k++) p->all[b].steps[k] = v[k].access;
    place_append(p, b, parent);
    say_news(p, (uint32_t[]){GROWS, b, parent, (uint32_t)count}, 4);
    say_news(p, p->all[b].steps, count);
    return b;
}

void place_split(planner *p, uint32_t b, size_t count, uint32_t above) {
    uint32_t parent = p->around[b].parent;
    place *its = &p->all[b], *new = &p->all[above];
    memcpy(new->steps, its->steps + its->begin, count * sizeof *its->steps);
    its->begin += (uint32_t)count, its->length -= (uint32_t)count;
    new->head = its->head, its->head = its->steps[its->begin];
    new->first = b, new->next = its->next, its->next = 0;
    p->around[above] = (surroundings){parent, b, p->around[b].depth - its->length,
                                      {p->around[b].leaves[0] != 0, p->around[b].leaves[1] != 0}, 0};
    p->around[b].parent = above;
    uint32_t *link = &p->all[parent].first;
    while (*link != b) link = &p->all[*link].next;
    *link = above;
    if (p->around[parent].last == b) p->around[parent].last = above;
}

void place_move(planner *p, uint32_t b, uint32_t to) {
    uint32_t parent = p->around[b].parent, *link = &p->all[parent].first;
    p->all[to] = p->all[b], p->all[b] = (place){0};
    p->around[to] = p->around[b], p->around[b] = (surroundings){0};
    say_news(p, (uint32_t[]){MOVES, b, to}, 3);
    if (b == p->root) {
        p->root = to;
        return;
    }
    while (*link != b) link = &p->all[*link].next;
    *link = to;
    if (p->around[parent].last == b) p->around[parent].last = to;
}

/* The node after the first events of a chain, which gets a number. */
static uint32_t split(planner *p, uint32_t b, size_t count) {
    uint32_t above = place_new(p, count);
    if (above == 0) return 0;
    place_split(p, b, count, above);
    say_news(p, (uint32_t[]){SPLITS, b, (uint32_t)count, above}, 4);
    return above;
}

void places_count(planner *p, uint32_t b, enum leaves which, int more) {
    p->leaves[which] += (uint64_t)more;
    for (int changes = 1; b != 0 && changes; b = p->around[b].parent) {
        uint32_t *its = &p->around[b].leaves[which], before = *its;
        *its += (uint32_t)more;
        changes = (before == 0) != (*its == 0);
    }
}

void places_leaf(planner *p, uint32_t b) {
    p->all[b].state = OPEN;
    say_news(p, (uint32_t[]){STOPS, b, 1}, 3);
    places_count(p, b, TO_GIVE, 1);
    places_count(p, b, TO_EXPLORE, 1);
}

void places_free(planner *p, uint32_t b) {
    if (!is_end(p, b)) say_news(p, (uint32_t[]){STOPS, b, 1}, 3);
    p->all[b].is_free = 1;
}

/* Forgets a node that is not in the list of its parent any more, and all below. */
static void drop(planner *p, uint32_t tree) {
    uint32_t last = tree;
    p->all[tree].next = 0;
    for (uint32_t b = tree; b != 0; b = p->all[b].next) {
        steps_free(p, b);
        if (p->all[b].first == 0) continue;
        p->all[last].next = p->all[b].first;
        last = p->around[b].last;
    }
    p->all[last].next = p->unused;
    p->unused = tree;
}

void places_drop_first(planner *p, uint32_t at) {
    uint32_t b = p->all[at].first;
    p->all[at].first = p->all[b].next;
    if (p->all[at].first == 0) p->around[at].last = 0;
    drop(p, b);
    say_news(p, (uint32_t[]){FORGETS, at}, 2);
}

/* Forgets what is explored and comes before all that is left at or below a node. */
static void drop_front(planner *p, uint32_t at) {
    while (at != 0) {
        uint32_t b = p->all[at].first;
        while (b != 0 && p->around[b].leaves[TO_EXPLORE] == 0) {
            p->around[at].gone |= BIT(first_thread(p, b));
            places_drop_first(p, at);
            b = p->all[at].first;
        }
        at = b != 0 && p->all[b].state == INNER && !p->all[b].is_free ? b : 0;
    }
}

void places_drop(planner *p, uint32_t leaf) {
    uint32_t at = leaf;
    for (; at != 0 && p->around[at].leaves[TO_EXPLORE] == 0; at = p->around[at].parent)
        if (p->all[at].is_free) drop_front(p, at);
    for (; at != 0 && !p->all[at].is_free; at = p->around[at].parent)
        if (p->all[p->around[at].parent].first != at) return;
    drop_front(p, at);
}

/* -- sequences ------------------------------------------------------------------------------ */

static void plan(planner *p, uint32_t at, const item *v, size_t count) {
    uint32_t b = at == 0 ? 0 : place_add(p, at, v, count);
    if (b != 0) places_leaf(p, b);
}

int places_follow(planner *p, uint32_t at, uint32_t b, item *v, size_t count, departure *from) {
    footprints *f = &p->footprints;
    scan *s = &from->rest;
    for (scan_begin(f, s, v, count); s->count > 0; at = b, b = p->all[at].first) {
        while (b != 0 && !scan_take_out(f, s, first_thread(p, b), p->all[b].head)) b = p->all[b].next;
        from->at = at, from->within = b, from->after = 0;
        if (b == 0) return 0;
        size_t k = 1, length = p->all[b].length;
        const uint32_t *steps = p->all[b].steps + p->all[b].begin;
        for (; k < length && s->count > 0; k++) {
            if (s->looked == 0 && s->v->access == steps[k]) s->v++, s->count--;
            else if (!scan_take_out(f, s, p->threads[steps[k]], steps[k])) break;
        }
        from->after = k;
        if (k < length && s->count > 0) return 0;
        if (k < length || is_end(p, b)) return 1;
    }
    return 1;
}

/* Takes in what is to be explored from a node, unless it is there already in a branch from this one on. */
static void insert(planner *p, uint32_t at, uint32_t b, item *v, size_t count) {
    departure from;
    if (places_follow(p, at, b, v, count, &from)) return;
    at = from.within == 0 ? from.at : split(p, from.within, from.after);
    plan(p, at, from.rest.v, from.rest.count);
}

void places_go_to(planner *p, uint32_t leaf) {
    numbers *path = &p->path;
    size_t known = path->count;
    path->count = p->around[leaf].depth;
    if (!room_for((void **)&path->its, &path->room, path->count, sizeof *path->its)) {
        fail(p, USED_UP);
        return;
    }
    for (uint32_t b = leaf; b != p->root; b = p->around[b].parent) {
        size_t end = p->around[b].depth;
        if (end <= known && path->its[end - 1] == (int32_t)b) return;
        for (uint32_t k = 1; k <= p->all[b].length; k++) path->its[end - k] = (int32_t)b;
    }
}

void places_insert(planner *p, size_t depth, item *v, size_t count) {
    uint32_t b = (uint32_t)p->path.its[depth];
    size_t begin = p->around[b].depth - p->all[b].length;
    if (depth == begin) {
        insert(p, p->around[b].parent, p->all[b].next, v, count);
        return;
    }
    uint32_t above = split(p, b, depth - begin);
    for (size_t k = begin; k < depth; k++) p->path.its[k] = (int32_t)above;
    plan(p, above, v, count);
}
