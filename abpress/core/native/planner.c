/* One wakeup tree of which several searches explore leaves, NOTE(native-leaves): with all that is
 * planned, given out or explored, in order, as far as something may still come before it. What comes
 * from a search has its numbers of accesses, which are mapped to those here. */
#include <stdlib.h>
#include <string.h>

#include "executions.h"

enum state { INNER, OPEN, GIVEN, DONE_LEAF };

/* After the event of the thread from the parent. `gone`: threads that were explored before all
 * branches. `open` leaves are to be given out at or below, `left` ones are to be explored. What is
 * below a `free` node is complete by itself. */
typedef struct {
    int thread;
    uint32_t access, parent, first, last, next, depth, open, left;
    unsigned char state, is_free;
    uint64_t gone;
} place;

typedef struct {
    footprints footprints; /* only their bits */
    int32_t *threads;      /* of accesses */
    size_t access_count;
    place *all;
    size_t count, room;
    uint32_t unused, root;
    item *v;
    size_t v_room;
    numbers given;  /* what is to be told */
    numbers counts; /* of branches that are still to come */
    const char *bad;
} planner;

#define USED_UP "memory is used up"
#define WRONG "internal error: what was told of a wakeup tree is wrong"

static void fail(planner *p, const char *why) {
    if (p->bad == NULL) p->bad = why;
}

/* -- nodes ---------------------------------------------------------------------------------- */

static uint32_t place_new(planner *p, uint32_t parent, uint32_t access) {
    uint32_t b = p->unused;
    if (b != 0) {
        p->unused = p->all[b].next;
    } else {
        if (p->count + 2 > p->room) {
            size_t room = 2 * p->room + 64;
            place *more = room > INT32_MAX ? NULL : realloc(p->all, room * sizeof *more);
            if (more == NULL) return fail(p, USED_UP), 0;
            p->all = more, p->room = room;
        }
        b = (uint32_t)++p->count;
    }
    p->all[b] = (place){.access = access, .parent = parent, .thread = p->threads[access]};
    if (parent == 0) return b;
    place *above = &p->all[parent];
    p->all[b].depth = above->depth + 1;
    if (above->last != 0) p->all[above->last].next = b;
    else above->first = b;
    above->last = b;
    return b;
}

static void count_up(planner *p, uint32_t b, uint32_t open, uint32_t left) {
    for (; b != 0; b = p->all[b].parent) p->all[b].open += open, p->all[b].left += left;
}

static void make_leaf(planner *p, uint32_t b) {
    p->all[b].state = OPEN;
    count_up(p, b, 1, 1);
}

/* Forgets a node that is not in the list of its parent any more, and all below. */
static void drop(planner *p, uint32_t tree) {
    uint32_t last = tree;
    p->all[tree].next = 0;
    for (uint32_t b = tree; b != 0; b = p->all[b].next)
        if (p->all[b].first != 0) {
            p->all[last].next = p->all[b].first;
            last = p->all[b].last;
        }
    p->all[last].next = p->unused;
    p->unused = tree;
}

/* Forgets what is explored and comes before all that is left, where nothing can come from above. */
static void drop_front(planner *p, uint32_t at) {
    while (at != 0) {
        uint32_t b = p->all[at].first;
        while (b != 0 && p->all[b].left == 0) {
            p->all[at].gone |= BIT(p->all[b].thread);
            p->all[at].first = p->all[b].next;
            drop(p, b);
            b = p->all[at].first;
        }
        if (b == 0) p->all[at].last = 0;
        at = b != 0 && p->all[b].state == INNER && !p->all[b].is_free ? b : 0;
    }
}

static void drop_done(planner *p, uint32_t leaf) {
    for (uint32_t at = leaf; at != 0; at = p->all[at].parent)
        if (p->all[at].is_free) drop_front(p, at);
}

/* -- sequences ------------------------------------------------------------------------------ */

static void plan(planner *p, uint32_t at, const item *v, size_t count) {
    for (size_t k = 0; k < count && p->bad == NULL; k++) at = place_new(p, at, v[k].access);
    if (p->bad == NULL) make_leaf(p, at);
}

/* Inserts what was found below a branch of a node, unless that is there already behind it. */
static void insert(planner *p, uint32_t at, uint32_t after, item *v, size_t count) {
    uint32_t b = p->all[after].next;
    scan s;
    for (scan_begin(&p->footprints, &s, v, count); s.count > 0;) {
        while (b != 0 && !scan_take_out(&p->footprints, &s, p->all[b].thread, p->all[b].access))
            b = p->all[b].next;
        if (b == 0) {
            plan(p, at, v, s.count);
            return;
        }
        if (p->all[b].state != INNER || p->all[b].is_free) return;
        at = b;
        b = p->all[at].first;
    }
}

static int is_leaf(const planner *p, int32_t leaf, enum state state) {
    return leaf > 0 && (size_t)leaf <= p->count && p->all[leaf].state == state;
}

/* The access here that has a number elsewhere; 0 if there is none. */
static uint32_t access_of(const planner *p, const int32_t *map, size_t size, int32_t number) {
    if (number <= 0 || (size_t)number >= size) return 0;
    int32_t a = map[number];
    return a > 0 && (size_t)a <= p->access_count ? (uint32_t)a : 0;
}

/* Takes in sequences, as `leaf_misses` says them. */
void planner_insert(planner *p, const int32_t *its, size_t length, const int32_t *map, size_t size) {
    size_t k = 0;
    while (p->bad == NULL && k < length) {
        int32_t leaf = its[k], depth = length - k > 2 ? its[k + 1] : -1;
        int32_t count = length - k > 2 ? its[k + 2] : -1;
        if (count < 1 || (size_t)count > length - k - 3 || !is_leaf(p, leaf, GIVEN) || depth < 0 ||
            (uint32_t)depth >= p->all[leaf].depth ||
            !room_for((void **)&p->v, &p->v_room, (size_t)count, sizeof *p->v)) {
            fail(p, WRONG);
            return;
        }
        k += 3;
        for (int32_t j = 0; j < count; j++) {
            uint32_t a = access_of(p, map, size, its[k++]);
            if (a == 0) fail(p, WRONG);
            p->v[j] = (item){p->threads[a], a};
        }
        uint32_t at = (uint32_t)leaf, after = 0;
        for (; p->all[at].depth > (uint32_t)depth; at = p->all[at].parent) after = at;
        if (p->bad == NULL) insert(p, at, after, p->v, (size_t)count);
    }
}

/* -- leaves --------------------------------------------------------------------------------- */

typedef struct {
    const int32_t *its, *map;
    size_t at, length, size;
} reading;

static int32_t next_of(planner *p, reading *r) {
    if (r->at < r->length) return r->its[r->at++];
    fail(p, WRONG);
    return 0;
}

static uint32_t next_access(planner *p, reading *r) {
    uint32_t a = access_of(p, r->map, r->size, next_of(p, r));
    if (a == 0) fail(p, WRONG);
    return a;
}

static void expect(planner *p, int32_t count) {
    if (count < 0) fail(p, WRONG);
    else if (!numbers_add(&p->counts, count)) fail(p, USED_UP);
}

static void graft_tree(planner *p, reading *r, uint32_t at) {
    p->counts.count = 0;
    for (expect(p, next_of(p, r)); p->counts.count > 0 && p->bad == NULL;) {
        if (p->counts.its[p->counts.count - 1]-- == 0) {
            p->counts.count--;
            at = p->all[at].parent;
            continue;
        }
        uint32_t a = next_access(p, r);
        int32_t below = next_of(p, r);
        uint32_t b = p->bad == NULL ? place_new(p, at, a) : 0;
        if (b != 0 && below == 0) make_leaf(p, b);
        else if (b != 0) expect(p, below), at = b;
    }
}

static void take_off(planner *p, uint32_t leaf, enum state state) {
    uint32_t open = p->all[leaf].state == OPEN ? 1 : 0;
    count_up(p, leaf, 0 - open, 0U - 1);
    p->all[leaf].state = state;
    p->all[leaf].is_free = 1;
}

/* A leaf that was given out is explored, but for what is said of it as `core_rest` does. */
static void explored(planner *p, int leaf, const int32_t *its, size_t length, const int32_t *map,
                     size_t size) {
    reading r = {its, map, 0, length, size};
    if (!is_leaf(p, leaf, GIVEN)) {
        fail(p, WRONG);
        return;
    }
    uint32_t at = (uint32_t)leaf;
    /* something is left of it until all is there */
    for (p->all[at].is_free = 1; r.at < length && p->bad == NULL;) {
        p->all[at].state = p->all[at].state == GIVEN ? GIVEN : INNER, p->all[at].is_free = 1;
        for (int32_t n = next_of(p, &r); n > 0 && p->bad == NULL; n--)
            p->all[at].gone |= BIT(p->threads[next_access(p, &r)]);
        uint32_t under = 0;
        if (r.at < length && its[r.at] != 0) under = place_new(p, at, next_access(p, &r));
        else next_of(p, &r);
        if (p->bad == NULL) graft_tree(p, &r, at);
        if (under == 0) break;
        at = under;
    }
    if (r.at != length) fail(p, WRONG);
    if (p->bad != NULL) return;
    take_off(p, (uint32_t)leaf, p->all[leaf].left > 1 ? INNER : DONE_LEAF);
    drop_done(p, (uint32_t)leaf);
}

/* The same of so many leaves; what is said is of the last one. */
void planner_explored(planner *p, const int32_t *leaves, size_t count, const int32_t *its,
                      size_t length, const int32_t *map, size_t size) {
    for (size_t k = 0; k < count && p->bad == NULL; k++)
        explored(p, leaves[k], its, k + 1 == count ? length : 0, map, size);
}

/* A leaf that was given out is to be given out again. */
void planner_open(planner *p, int leaf) {
    if (!is_leaf(p, leaf, GIVEN)) {
        fail(p, WRONG);
        return;
    }
    p->all[leaf].state = OPEN;
    count_up(p, (uint32_t)leaf, 1, 0);
}

static void give(planner *p, uint32_t number) {
    if (!numbers_add(&p->given, (int32_t)number)) fail(p, USED_UP);
}

/* The way to a node from the ancestor at a depth. */
static void give_way(planner *p, uint32_t b, uint32_t from) {
    uint32_t depth = p->all[b].depth;
    size_t room = p->given.count, length = 3 * (size_t)(depth - from);
    for (size_t k = 0; k < length; k++) give(p, 0);
    for (; p->bad == NULL && depth > from; b = p->all[b].parent, depth--) {
        const place *above = &p->all[p->all[b].parent];
        int32_t *its = p->given.its + room + 3 * (size_t)(depth - from - 1);
        uint64_t before = above->gone;
        for (uint32_t s = above->first; s != b; s = p->all[s].next) before |= BIT(p->all[s].thread);
        its[0] = (int32_t)(uint32_t)before, its[1] = (int32_t)(uint32_t)(before >> 32);
        its[2] = p->all[b].thread;
    }
}

/* Gives out so many leaves that are open, the first ones: of each its number, how many steps its way
 * has as the one before (-1 of the first), how many words the way has, and these. */
const int32_t *planner_give(planner *p, size_t most, size_t *length) {
    uint32_t last = 0;
    p->given.count = 0;
    for (; most > 0 && p->bad == NULL && p->all[p->root].open > 0; most--) {
        uint32_t b = p->root, common = 0;
        while (p->all[b].state != OPEN) {
            b = p->all[b].first;
            while (p->all[b].open == 0) b = p->all[b].next;
        }
        if (last != 0) {
            uint32_t one = last, other = b;
            while (p->all[one].depth > p->all[other].depth) one = p->all[one].parent;
            while (p->all[other].depth > p->all[one].depth) other = p->all[other].parent;
            while (one != other) one = p->all[one].parent, other = p->all[other].parent;
            common = p->all[one].depth;
        }
        p->all[b].state = GIVEN;
        count_up(p, b, 0U - 1, 0);
        give(p, b);
        give(p, last == 0 ? (uint32_t)-1 : common);
        give(p, 3 * (p->all[b].depth - common));
        give_way(p, b, common);
        last = b;
    }
    *length = p->given.count;
    return p->given.its;
}

/* How many leaves are to be given out, and how many are not explored yet. */
void planner_counts(const planner *p, uint64_t *counts) {
    counts[0] = p->all[p->root].open;
    counts[1] = p->all[p->root].left;
}

const char *planner_bad(const planner *p) { return p->bad; }

/* -- to keep it, NOTE(kept-desks) ----------------------------------------------------------- */

/* Tells all nodes, each before those below it: its access, its state, whether it is free, two halves
 * of what is gone, and how many branches it has. Leaves that are given out are to be given out. */
const int32_t *planner_keep(planner *p, size_t *length) {
    p->given.count = 0;
    for (uint32_t b = p->root; b != 0 && p->bad == NULL;) {
        const place *its = &p->all[b];
        size_t count = 0;
        for (uint32_t s = its->first; s != 0; s = p->all[s].next) count++;
        give(p, its->access);
        give(p, its->state == GIVEN ? OPEN : its->state);
        give(p, its->is_free);
        give(p, (uint32_t)its->gone);
        give(p, (uint32_t)(its->gone >> 32));
        give(p, (uint32_t)count);
        if (its->first != 0) {
            b = its->first;
            continue;
        }
        while (b != 0 && p->all[b].next == 0) b = p->all[b].parent;
        if (b != 0) b = p->all[b].next;
    }
    *length = p->given.count;
    return p->given.its;
}

/* The next node of what was kept, the root if it has no parent; 0 if that is wrong. */
static uint32_t load_place(planner *p, reading *r, uint32_t parent) {
    int32_t access = next_of(p, r), state = next_of(p, r), is_free = next_of(p, r);
    uint64_t gone = (uint32_t)next_of(p, r);
    gone |= (uint64_t)(uint32_t)next_of(p, r) << 32;
    int32_t count = next_of(p, r);
    if (access < 0 || (size_t)access > p->access_count || (access == 0) != (parent == 0) ||
        (state != INNER && state != OPEN && state != DONE_LEAF) || (state != INNER && count != 0))
        fail(p, WRONG);
    uint32_t b = p->bad != NULL ? 0 : parent == 0 ? p->root : place_new(p, parent, (uint32_t)access);
    if (b == 0) return 0;
    p->all[b].is_free = is_free != 0;
    p->all[b].gone = gone;
    if (state == OPEN) make_leaf(p, b);
    else p->all[b].state = (unsigned char)state;
    expect(p, count);
    return b;
}

/* Becomes what `planner_keep` has told, in place of a tree of which nothing is explored. */
void planner_load(planner *p, const int32_t *its, size_t length) {
    reading r = {its, NULL, 0, length, 0};
    if (p->all[p->root].first != 0 || p->all[p->root].state != OPEN) fail(p, WRONG);
    p->all[p->root] = (place){0};
    p->counts.count = 0;
    uint32_t at = load_place(p, &r, 0);
    while (p->bad == NULL && p->counts.count > 0) {
        if (p->counts.its[p->counts.count - 1]-- == 0) {
            p->counts.count--;
            at = p->all[at].parent;
        } else {
            at = load_place(p, &r, at);
        }
    }
    if (r.at != length) fail(p, WRONG);
}

/* -- accesses ------------------------------------------------------------------------------- */

/* The number of what a step of the thread touches and writes, of keys from 1 on; bit 0 is that the
 * program is alive. 0 without memory. */
int planner_access(planner *p, int thread, const int32_t *touched, size_t many, const int32_t *written,
                   size_t some) {
    footprints *f = &p->footprints;
    int32_t most = 0;
    for (size_t k = 0; k < many; k++) most = touched[k] > most ? touched[k] : most;
    for (size_t k = 0; k < some; k++) most = written[k] > most ? written[k] : most;
    if (p->bad != NULL || thread < MAIN || thread >= LANES || !footprints_widen(f, (size_t)most))
        return fail(p, USED_UP), 0;
    if (p->access_count + 2 > f->room) {
        size_t room = 2 * f->room;
        int32_t *threads = realloc(p->threads, room * sizeof *threads);
        if (threads != NULL) p->threads = threads;
        uint64_t *bits = realloc(f->bits, 2 * f->words * room * sizeof *bits);
        if (bits != NULL) f->bits = bits;
        if (threads == NULL || bits == NULL) return fail(p, USED_UP), 0;
        memset(bits + 2 * f->words * f->room, 0, 2 * f->words * f->room * sizeof *bits);
        f->room = room;
    }
    size_t a = ++p->access_count;
    uint64_t *its = f->bits + 2 * f->words * a;
    p->threads[a] = thread;
    for (size_t k = 0; k < many; k++) its[touched[k] / 64] |= 1ULL << touched[k] % 64;
    for (size_t k = 0; k < some; k++) its[f->words + (size_t)written[k] / 64] |= 1ULL << written[k] % 64;
    return (int)a;
}

/* -- the tree ------------------------------------------------------------------------------- */

void planner_free(planner *p) {
    if (p == NULL) return;
    free(p->footprints.bits), free(p->footprints.sum);
    free(p->threads), free(p->all), free(p->v), free(p->given.its), free(p->counts.its);
    free(p);
}

/* A tree of which nothing is explored; NULL without memory. */
planner *planner_new(void) {
    planner *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    footprints *f = &p->footprints;
    f->words = 1, f->room = 64;
    f->bits = calloc(2 * f->words * f->room, sizeof *f->bits);
    f->sum = calloc(2 * f->words, sizeof *f->sum);
    p->threads = calloc(f->room, sizeof *p->threads);
    if (f->bits != NULL && f->sum != NULL && p->threads != NULL) p->root = place_new(p, 0, 0);
    if (p->root == 0) return planner_free(p), NULL;
    p->all[p->root].is_free = 1;
    make_leaf(p, p->root);
    return p;
}
