/* Copies of a wakeup tree that is shared, NOTE(native-leaves): a search knows the tree as it was when its leaves were given
 * out, and does not tell what was there already. A copy gets the news of the tree, and has the same numbers of nodes
 * and accesses; it gives nothing out. */
#include "planner.h"

void say_news(planner *p, const uint32_t *its, size_t count) {
    if (p->is_silent) return;
    if (!room_for((void **)&p->news.its, &p->news.room, p->news.count + count, sizeof *p->news.its)) {
        fail(p, USED_UP);
        return;
    }
    for (size_t k = 0; k < count; k++) p->news.its[p->news.count++] = (int32_t)its[k];
}

/* What has become of nodes since this was called last. */
const int32_t *planner_news(planner *p, size_t *length) {
    *length = p->news.count;
    p->news.count = 0;
    return p->news.its;
}

/* Nobody is going to ask for them. */
void planner_keeps_no_news(planner *p) { p->is_silent = 1; }

/* The news that make the whole tree of one of which nothing is explored. */
const int32_t *planner_whole(planner *p, size_t *length) {
    p->news.count = 0;
    if (p->root != FIRST) say_news(p, (uint32_t[]){MOVES, FIRST, p->root}, 3);
    say_news(p, (uint32_t[]){STOPS, p->root, (uint32_t)is_end(p, p->root)}, 3);
    for (uint32_t b = p->root; b != 0 && p->bad == NULL;) {
        const place *its = &p->all[b];
        if (b != p->root) {
            say_news(p, (uint32_t[]){GROWS, b, p->around[b].parent, its->length}, 4);
            say_news(p, its->steps + its->begin, its->length);
            if (is_end(p, b)) say_news(p, (uint32_t[]){STOPS, b, 1}, 3);
        }
        if (its->first != 0) {
            b = its->first;
            continue;
        }
        while (b != 0 && p->all[b].next == 0) b = p->around[b].parent;
        if (b != 0) b = p->all[b].next;
    }
    return planner_news(p, length);
}

static int is_known(const planner *p, uint32_t b) {
    return b == p->root || (b != 0 && b <= p->count && p->all[b].steps != NULL);
}

static void add(planner *p, const int32_t *its) {
    uint32_t b = (uint32_t)its[1], parent = (uint32_t)its[2];
    size_t count = (size_t)its[3];
    if (its[1] <= 0 || is_known(p, b) || !is_known(p, parent) || count == 0) fail(p, WRONG);
    if (p->bad != NULL || !place_make(p, b, count)) return;
    for (size_t k = 0; k < count; k++) {
        p->all[b].steps[k] = (uint32_t)its[4 + k];
        if (its[4 + k] <= 0 || (size_t)its[4 + k] > p->access_count) fail(p, WRONG);
    }
    if (p->bad == NULL) place_append(p, b, parent);
}

static void part(planner *p, const int32_t *its) {
    uint32_t b = (uint32_t)its[1], above = (uint32_t)its[3];
    if (b == p->root || !is_known(p, b) || its[3] <= 0 || is_known(p, above) || its[2] <= 0 ||
        (uint32_t)its[2] >= p->all[b].length)
        fail(p, WRONG);
    else if (place_make(p, above, (size_t)its[2]))
        place_split(p, b, (size_t)its[2], above);
}

static void move(planner *p, uint32_t b, int32_t to) {
    if (p->all[b].first != 0 || to <= 0 || is_known(p, (uint32_t)to)) fail(p, WRONG);
    else if (place_make(p, (uint32_t)to, 0)) place_move(p, b, (uint32_t)to);
}

/* Makes a tree a copy, with what is new. */
void planner_copy(planner *p, const int32_t *its, size_t length) {
    static const size_t most[] = {4, 4, 3, 2, 3};
    p->is_silent = 1;
    p->path.count = p->path_of = 0;
    while (length > 0 && p->bad == NULL) {
        size_t words = its[0] < GROWS || its[0] > MOVES ? length + 1 : most[its[0]];
        if (words <= length && its[0] == GROWS)
            words = its[3] < 0 || (size_t)its[3] > length - 4 ? length + 1 : 4 + (size_t)its[3];
        if (words > length || (its[0] >= STOPS && !is_known(p, (uint32_t)its[1]))) {
            fail(p, WRONG);
            return;
        }
        uint32_t b = (uint32_t)its[1];
        if (its[0] == GROWS) add(p, its);
        else if (its[0] == SPLITS) part(p, its);
        else if (its[0] == STOPS) p->all[b].state = INNER, p->all[b].is_free = its[2] != 0;
        else if (its[0] == MOVES) move(p, b, its[2]);
        else if (p->all[b].first != 0) places_drop_first(p, b);
        else fail(p, WRONG);
        its += words, length -= words;
    }
}

int copy_covers(planner *p, uint32_t leaf, size_t depth, const item *v, size_t count, const numbers *map) {
    if (p->bad != NULL || !is_known(p, leaf)) return fail(p, WRONG), 0;
    if (depth >= p->around[leaf].depth) return 0; /* the leaf was divided since */
    if (!room_for((void **)&p->v, &p->v_room, count + 1, sizeof *p->v)) return fail(p, USED_UP), 0;
    for (size_t k = 0; k < count; k++) {
        uint32_t access = v[k].access < map->count ? (uint32_t)map->its[v[k].access] : 0;
        if (access == 0 || access > p->access_count) return 0;
        p->v[k] = (item){p->threads[access], access};
    }
    if (p->path_of != leaf) places_go_to(p, leaf);
    if (p->bad != NULL) return 0;
    p->path_of = leaf;
    uint32_t b = (uint32_t)p->path.its[depth];
    departure from;
    return depth + p->all[b].length == p->around[b].depth &&
           places_follow(p, p->around[b].parent, p->all[b].next, p->v, count, &from);
}
