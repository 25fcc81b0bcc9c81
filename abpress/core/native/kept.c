/* A wakeup tree as it is kept, NOTE(kept-desks): leaves that are given out are to be given out. */
#include "planner.h"

/* Tells all nodes that have numbers, each before those below it: how many events its chain has, what they
 * access, its state, whether it is free, two halves of what is gone, and how many branches it has. Leaves
 * that are given out are to be given out. */
const int32_t *planner_keep(planner *p, size_t *length) {
    p->given.count = 0;
    for (uint32_t b = p->root; b != 0 && p->bad == NULL;) {
        const place *its = &p->all[b];
        uint64_t gone = p->around[b].gone;
        size_t count = 0;
        for (uint32_t s = its->first; s != 0; s = p->all[s].next) count++;
        give(p, its->length);
        for (size_t k = 0; k < its->length; k++) give(p, event_of(p, b, k).access);
        give(p, its->state == GIVEN ? OPEN : its->state);
        give(p, its->is_free);
        give(p, (uint32_t)gone);
        give(p, (uint32_t)(gone >> 32));
        give(p, (uint32_t)count);
        if (its->first != 0) {
            b = its->first;
            continue;
        }
        while (b != 0 && p->all[b].next == 0) b = p->around[b].parent;
        if (b != 0) b = p->all[b].next;
    }
    *length = p->given.count;
    return p->given.its;
}

/* The next node of what was kept, the root if it has no parent; 0 if that is wrong. */
static uint32_t load_place(planner *p, reading *r, uint32_t parent) {
    int32_t steps = read_next(p, r);
    if (steps < 0 || (size_t)steps > r->length - r->at || (steps == 0) != (parent == 0)) fail(p, WRONG);
    if (p->bad == NULL && !room_for((void **)&p->v, &p->v_room, (size_t)steps, sizeof *p->v))
        fail(p, USED_UP);
    for (int32_t k = 0; k < steps && p->bad == NULL; k++) {
        int32_t access = read_next(p, r);
        if (access <= 0 || (size_t)access > p->access_count) fail(p, WRONG);
        else p->v[k] = (item){p->threads[access], (uint32_t)access};
    }
    int32_t state = read_next(p, r), is_free = read_next(p, r);
    uint64_t gone = (uint32_t)read_next(p, r);
    gone |= (uint64_t)(uint32_t)read_next(p, r) << 32;
    int32_t count = read_next(p, r);
    if ((state != INNER && state != OPEN && state != DONE_LEAF) || (state != INNER && count != 0))
        fail(p, WRONG);
    uint32_t b = p->bad != NULL ? 0 : parent == 0 ? p->root : place_add(p, parent, p->v, (size_t)steps);
    if (b == 0) return 0;
    p->all[b].is_free = is_free != 0;
    p->around[b].gone = gone;
    if (state == OPEN) places_leaf(p, b);
    else p->all[b].state = (unsigned char)state;
    expect(p, count);
    return b;
}

/* Becomes what `planner_keep` has told, in place of a tree of which nothing is explored. */
void planner_load(planner *p, const int32_t *its, size_t length) {
    reading r = {its, NULL, 0, length, 0};
    if (p->all[p->root].first != 0 || p->all[p->root].state != OPEN) fail(p, WRONG);
    p->all[p->root] = (place){0};
    p->around[p->root] = (surroundings){0};
    p->leaves[TO_GIVE] = p->leaves[TO_EXPLORE] = 0;
    p->counts.count = 0;
    uint32_t at = load_place(p, &r, 0);
    while (p->bad == NULL && p->counts.count > 0) {
        if (p->counts.its[p->counts.count - 1]-- == 0) {
            p->counts.count--;
            at = p->around[at].parent;
        } else {
            at = load_place(p, &r, at);
        }
    }
    if (r.at != length) fail(p, WRONG);
}
