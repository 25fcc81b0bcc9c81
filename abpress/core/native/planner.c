/* One wakeup tree of which several searches explore leaves, NOTE(native-leaves): with all that is
 * planned, given out or explored, in order, as far as something may still come before it. What comes
 * from a search has its numbers of accesses, which are mapped to those here. */
#include <stdlib.h>
#include <string.h>

#include "planner.h"

static int is_leaf(const planner *p, int32_t leaf, enum state state) {
    return leaf > 0 && (size_t)leaf <= p->count && p->all[leaf].state == state;
}

/* The access here that has a number elsewhere; 0 if there is none. */
static uint32_t access_of(const planner *p, const int32_t *map, size_t size, int32_t number) {
    if (number <= 0 || (size_t)number >= size) return 0;
    int32_t a = map[number];
    return a > 0 && (size_t)a <= p->access_count ? (uint32_t)a : 0;
}

int32_t read_next(planner *p, reading *r) {
    if (r->at < r->length) return r->its[r->at++];
    fail(p, WRONG);
    return 0;
}

static uint32_t next_access(planner *p, reading *r) {
    uint32_t a = access_of(p, r->map, r->size, read_next(p, r));
    if (a == 0) fail(p, WRONG);
    return a;
}

/* -- sequences ------------------------------------------------------------------------------ */

/* A leaf, and its execution, which is another one from an event on. Returns the leaf. */
static uint32_t read_events(planner *p, reading *r, uint32_t last) {
    int32_t leaf = read_next(p, r), from = read_next(p, r), count = read_next(p, r);
    if (!is_leaf(p, leaf, GIVEN)) fail(p, WRONG);
    else if ((uint32_t)leaf != last) places_go_to(p, (uint32_t)leaf);
    if (from < 0 || (size_t)from > p->event_count || count < 0 || (size_t)count > r->length - r->at) {
        fail(p, WRONG);
        return 0;
    }
    p->event_count = (size_t)from + (size_t)count;
    if (!room_for((void **)&p->events, &p->event_room, p->event_count, sizeof *p->events)) {
        fail(p, USED_UP);
        return 0;
    }
    for (size_t e = (size_t)from; e < p->event_count; e++) {
        uint32_t a = next_access(p, r);
        p->events[e] = (item){p->threads[a], a};
    }
    return (uint32_t)leaf;
}

/* A sequence from the node at the depth, in `v`: those of the events behind the node's own whose bits are set, others, and a last
 * one; returns how many. */
static size_t read_sequence(planner *p, reading *r, size_t depth) {
    size_t count = 0, then = 0;
    if (r->at < r->length && r->its[r->at] < 0) then = 0 - (size_t)r->its[r->at++];
    uint32_t last = next_access(p, r);
    if (depth > p->event_count || (p->event_count - depth + 30) / 32 + then > r->length - r->at) fail(p, WRONG);
    else if (!room_for((void **)&p->v, &p->v_room, p->event_count + then + 1, sizeof *p->v)) fail(p, USED_UP);
    for (size_t e = depth + 1; e < p->event_count && p->bad == NULL; e += 32) {
        uint32_t bits = (uint32_t)read_next(p, r);
        if (p->event_count - e < 32 && bits >> (p->event_count - e) != 0) fail(p, WRONG);
        if (bits == UINT32_MAX && p->bad == NULL) {
            memcpy(p->v + count, p->events + e, 32 * sizeof *p->v);
            count += 32;
            continue;
        }
        for (; bits != 0 && p->bad == NULL; bits &= bits - 1)
            p->v[count++] = p->events[e + (size_t)__builtin_ctz(bits)];
    }
    for (; then > 0 && p->bad == NULL; then--) {
        uint32_t a = next_access(p, r);
        p->v[count++] = (item){p->threads[a], a};
    }
    if (p->bad == NULL) p->v[count++] = (item){p->threads[last], last};
    return count;
}

/* Takes in sequences, as `leaf_misses` says them. */
void planner_insert(planner *p, const int32_t *its, size_t length, const int32_t *map, size_t size) {
    reading r = {its, map, 0, length, size};
    uint32_t leaf = 0;
    p->path.count = p->event_count = 0;
    while (p->bad == NULL && r.at < length) {
        int32_t depth = read_next(p, &r);
        if (depth == ANOTHER) {
            leaf = read_events(p, &r, leaf);
            continue;
        }
        if (depth < 0 || (size_t)depth >= p->path.count) {
            fail(p, WRONG);
            return;
        }
        size_t count = read_sequence(p, &r, (size_t)depth);
        if (p->bad == NULL) places_insert(p, (size_t)depth, p->v, count);
    }
}

/* -- leaves --------------------------------------------------------------------------------- */

static void give_leaf(planner *p, uint32_t b) {
    p->all[b].state = GIVEN;
    places_count(p, b, TO_GIVE, -1);
}

void expect(planner *p, int32_t count) {
    if (count < 0) fail(p, WRONG);
    else if (!numbers_add(&p->counts, count)) fail(p, USED_UP);
}

static uint32_t add_one(planner *p, uint32_t parent, uint32_t access) {
    return place_add(p, parent, &(item){p->threads[access], access}, 1);
}

/* A branch as far as nothing branches off, and how many branches there are at its end. */
static uint32_t graft_chain(planner *p, reading *r, uint32_t at, int32_t *below) {
    size_t count = 0;
    do {
        uint32_t a = next_access(p, r);
        *below = read_next(p, r);
        if (!room_for((void **)&p->v, &p->v_room, count + 1, sizeof *p->v)) fail(p, USED_UP);
        if (p->bad != NULL) return 0;
        p->v[count++] = (item){p->threads[a], a};
    } while (*below == 1);
    return place_add(p, at, p->v, count);
}

static void graft_tree(planner *p, reading *r, uint32_t at) {
    p->counts.count = 0;
    for (expect(p, read_next(p, r)); p->counts.count > 0 && p->bad == NULL;) {
        if (p->counts.its[p->counts.count - 1]-- == 0) {
            p->counts.count--;
            at = p->around[at].parent;
            continue;
        }
        int32_t below = 0;
        uint32_t b = graft_chain(p, r, at, &below);
        if (b != 0 && below == 0) places_leaf(p, b);
        else if (b != 0) expect(p, below), at = b;
    }
}

/* What is said of a node and of nodes below becomes part of the tree. Returns the last one, of which nothing is said; 0 if
 * there is none. */
static uint32_t graft(planner *p, reading *r, uint32_t at) {
    uint32_t under = at;
    while (r->at < r->length && under != 0 && p->bad == NULL) {
        at = under, under = 0;
        places_free(p, at), p->all[at].state = p->all[at].state == GIVEN ? GIVEN : INNER;
        for (int32_t n = read_next(p, r); n > 0 && p->bad == NULL; n--) {
            uint32_t a = next_access(p, r);
            if (a != 0) p->around[at].gone |= BIT(p->threads[a]);
        }
        if (r->at < r->length && r->its[r->at] != 0) under = add_one(p, at, next_access(p, r));
        else read_next(p, r);
        if (p->bad == NULL) graft_tree(p, r, at);
    }
    if (r->at != r->length) fail(p, WRONG);
    return under;
}

/* A leaf that was given out is explored, but for what is said of it as `core_rest` does. */
static void explored(planner *p, int leaf, const int32_t *its, size_t length, const int32_t *map,
                     size_t size) {
    reading r = {its, map, 0, length, size};
    uint32_t b = (uint32_t)leaf;
    if (!is_leaf(p, leaf, GIVEN)) {
        fail(p, WRONG);
        return;
    }
    /* something is left of it until all is there */
    places_free(p, b);
    if (length > 0) graft(p, &r, b);
    if (p->bad != NULL) return;
    p->all[b].state = p->around[b].leaves[TO_EXPLORE] > 1 ? INNER : DONE_LEAF;
    places_count(p, b, TO_EXPLORE, -1);
    places_drop(p, b);
}

/* The same of so many leaves; what is said is of the last one. */
void planner_explored(planner *p, const int32_t *leaves, size_t count, const int32_t *its,
                      size_t length, const int32_t *map, size_t size) {
    for (size_t k = 0; k < count && p->bad == NULL; k++)
        explored(p, leaves[k], its, k + 1 == count ? length : 0, map, size);
}

/* A leaf that was given out is divided, as `core_divide` says: it ends at the last node that is told of, which has its
 * number from then on. */
void planner_divided(planner *p, int leaf, const int32_t *its, size_t length, const int32_t *map, size_t size) {
    reading r = {its, map, 0, length, size};
    uint32_t b = (uint32_t)leaf, above = is_leaf(p, leaf, GIVEN) ? place_new(p, 0) : 0;
    if (above == 0) {
        fail(p, WRONG);
        return;
    }
    place_move(p, b, above);
    uint32_t below = graft(p, &r, above);
    if (below == 0 || below == above) fail(p, WRONG);
    if (p->bad != NULL) return;
    places_leaf(p, below);
    give_leaf(p, below);
    p->all[above].state = INNER;
    places_count(p, above, TO_EXPLORE, -1);
    place_move(p, below, b);
    p->all[below].next = p->unused;
    p->unused = below;
}

/* A leaf that was given out is to be given out again. */
void planner_open(planner *p, int leaf) {
    if (!is_leaf(p, leaf, GIVEN)) {
        fail(p, WRONG);
        return;
    }
    p->all[leaf].state = OPEN;
    places_count(p, (uint32_t)leaf, TO_GIVE, 1);
}

void give(planner *p, uint32_t number) {
    if (!numbers_add(&p->given, (int32_t)number)) fail(p, USED_UP);
}

/* The way to a node from the ancestor at a depth. */
static void give_way(planner *p, uint32_t b, uint32_t from) {
    uint32_t depth = p->around[b].depth;
    size_t room = p->given.count, length = 3 * (size_t)(depth - from);
    for (size_t k = 0; k < length; k++) give(p, 0);
    for (; p->bad == NULL && depth > from; depth = p->around[b].depth) {
        uint32_t above = p->around[b].parent;
        int32_t *its = p->given.its + room + 3 * (size_t)(p->around[above].depth - from);
        uint64_t before = p->around[above].gone;
        for (uint32_t s = p->all[above].first; s != b; s = p->all[s].next) before |= BIT(first_thread(p, s));
        its[0] = (int32_t)(uint32_t)before, its[1] = (int32_t)(uint32_t)(before >> 32);
        for (uint32_t k = 0; k < p->all[b].length; k++) its[3 * k + 2] = event_of(p, b, k).thread;
        b = above;
    }
}

/* The first leaf that is open, or the first one behind the last one that was given out, as all before
 * that were; how many steps their ways have in common. */
static uint32_t next_open(const planner *p, uint32_t last, uint32_t *common) {
    uint32_t b = last != 0 ? last : p->root, from = 0;
    for (; p->around[b].leaves[TO_GIVE] == 0; b = p->around[b].parent) from = b;
    *common = p->around[b].depth;
    while (p->all[b].state != OPEN) {
        b = from != 0 ? p->all[from].next : p->all[b].first;
        from = 0;
        while (p->around[b].leaves[TO_GIVE] == 0) b = p->all[b].next;
    }
    return b;
}

/* Gives out so many leaves that are open, the first ones: tells how many, and their numbers; then of each again its number,
 * how many steps its way has as the one before (-1 of the first), how many words the way has, and these. */
const int32_t *planner_give(planner *p, size_t most, size_t *length) {
    uint32_t last = 0;
    size_t count = most < p->leaves[TO_GIVE] ? most : (size_t)p->leaves[TO_GIVE];
    p->given.count = 0;
    for (size_t k = 0; count > 0 && k < count + 1; k++) give(p, (uint32_t)count);
    for (size_t k = 1; k <= count && p->bad == NULL; k++) {
        uint32_t common, b = next_open(p, last, &common);
        give_leaf(p, b);
        p->given.its[k] = (int32_t)b;
        give(p, b);
        give(p, last == 0 ? (uint32_t)-1 : common);
        give(p, 3 * (p->around[b].depth - common));
        give_way(p, b, common);
        last = b;
    }
    *length = p->given.count;
    return p->given.its;
}

/* How many leaves are to be given out, and how many are not explored yet. */
void planner_counts(const planner *p, uint64_t *counts) {
    counts[0] = p->leaves[TO_GIVE];
    counts[1] = p->leaves[TO_EXPLORE];
}

const char *planner_bad(const planner *p) { return p->bad; }

/* -- accesses ------------------------------------------------------------------------------- */

static void set_all(uint64_t *bits, const int32_t *keys, size_t count) {
    for (size_t k = 0; k < count; k++) bits[keys[k] / 64] |= 1ULL << keys[k] % 64;
}

/* The number of what a step of the thread touches, writes, and writes blindly, of keys from 1 on; bit 0 is that the
 * program is alive. 0 without memory. */
int planner_access(planner *p, int thread, const int32_t *touched, size_t many, const int32_t *written,
                   size_t some, const int32_t *blind, size_t few) {
    footprints *f = &p->footprints;
    int32_t most = 0;
    for (size_t k = 0; k < many; k++) most = touched[k] > most ? touched[k] : most;
    for (size_t k = 0; k < some; k++) most = written[k] > most ? written[k] : most;
    for (size_t k = 0; k < few; k++) most = blind[k] > most ? blind[k] : most;
    if (p->bad != NULL || thread < MAIN || thread >= LANES || !footprints_widen(f, (size_t)most))
        return fail(p, USED_UP), 0;
    if (p->access_count + 2 > f->room) {
        size_t room = 2 * f->room;
        int32_t *threads = realloc(p->threads, room * sizeof *threads);
        if (threads != NULL) p->threads = threads;
        uint64_t *bits = realloc(f->bits, 2 * f->words * room * sizeof *bits);
        if (bits != NULL) f->bits = bits;
        uint64_t *more = realloc(f->blind, f->words * room * sizeof *more);
        if (more != NULL) f->blind = more;
        if (threads == NULL || bits == NULL || more == NULL) return fail(p, USED_UP), 0;
        memset(bits + 2 * f->words * f->room, 0, 2 * f->words * f->room * sizeof *bits);
        memset(more + f->words * f->room, 0, f->words * f->room * sizeof *more);
        f->room = room;
    }
    size_t a = ++p->access_count;
    uint64_t *its = f->bits + 2 * f->words * a;
    p->threads[a] = thread;
    set_all(its, touched, many), set_all(its + f->words, written, some);
    set_all(f->blind + f->words * a, blind, few);
    return (int)a;
}

/* -- the tree ------------------------------------------------------------------------------- */

void planner_free(planner *p) {
    if (p == NULL) return;
    free(p->footprints.bits), free(p->footprints.sum), free(p->footprints.blind), free(p->footprints.overwritten);
    for (size_t b = 1; b <= p->count; b++) steps_free(p, (uint32_t)b);
    blocks_free(p);
    free(p->threads), free(p->all), free(p->around), free(p->v), free(p->events);
    free(p->path.its), free(p->given.its), free(p->counts.its), free(p->news.its);
    free(p);
}

/* A tree of which nothing is explored, of sequences whose writes count only if they are observed, or all; NULL
 * without memory. */
planner *planner_new(int observes) {
    planner *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    footprints *f = &p->footprints;
    f->words = 1, f->room = 64, f->whole = 1, f->observes = observes;
    f->blind = calloc(f->words * f->room, sizeof *f->blind);
    f->overwritten = calloc(f->words, sizeof *f->overwritten);
    f->bits = calloc(2 * f->words * f->room, sizeof *f->bits);
    f->sum = calloc(2 * f->words, sizeof *f->sum);
    p->threads = calloc(f->room, sizeof *p->threads);
    if (f->bits && f->sum && f->blind && f->overwritten && p->threads) p->root = place_new(p, 0);
    if (p->root == 0) return planner_free(p), NULL;
    p->all[p->root].is_free = 1;
    places_leaf(p, p->root);
    return p;
}
