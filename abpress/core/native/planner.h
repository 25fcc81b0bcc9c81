/* One wakeup tree of which several searches explore leaves, NOTE(native-leaves): `places.c` has its
 * nodes, `planner.c` what is told of it and asked of it, `copies.c` what searches know of it. */
#ifndef ABPRESS_PLANNER_H
#define ABPRESS_PLANNER_H

#include "executions.h"

enum state { INNER, OPEN, GIVEN, DONE_LEAF };

/* After some events, the chain, whose accesses stand in `steps` from `begin` on. Nodes within a chain have
 * no numbers; they have no branches but the next event. What is below a `free` node is complete by
 * itself. This is all that sequences walk over. */
typedef struct {
    uint32_t *steps, begin, length, head, first, next; /* `head` is the first access */
    unsigned char state, is_free;
} place;

/* Leaves that are to be given out, and to be explored. */
enum leaves { TO_GIVE, TO_EXPLORE };

/* The rest of the same node. `gone`: threads that were explored before all branches. `leaves`: how many of
 * the branches have such leaves, and one more if it is one itself. */
typedef struct {
    uint32_t parent, last, depth, leaves[2];
    uint64_t gone;
} surroundings;

/* Short chains lie side by side in blocks; those that are free have a list for each length in pairs of accesses. */
enum { PAIRS = 32, BLOCK = 1 << 11 };
typedef union pair {
    uint32_t accesses[2];
    union pair *next;
} pair;

typedef struct planner {
    footprints footprints; /* only their bits */
    int32_t *threads;      /* of accesses */
    size_t access_count;
    place *all;
    surroundings *around;
    size_t count, room;
    uint32_t unused, root;
    pair *block, *spare[PAIRS]; /* the first pair of a block is the block before */
    size_t block_left;
    uint64_t leaves[2];
    item *v, *events; /* a sequence; of the execution that it is from */
    size_t v_room, event_count, event_room;
    numbers path;   /* to a leaf: for each event the node whose chain has it */
    numbers given;  /* what is to be told */
    numbers counts; /* of branches that are still to come */
    numbers news;   /* what has become of nodes, for copies */
    int is_silent;  /* it has no news: a copy, or a tree of which there are none */
    uint32_t path_of; /* of a copy: the leaf that the path leads to, 0 if none */
    const char *bad;
} planner;

#define USED_UP "memory is used up"
#define WRONG "internal error: what was told of a wakeup tree is wrong"

static inline void fail(planner *p, const char *why) {
    if (p->bad == NULL) p->bad = why;
}

/* The k-th event of a chain. */
static inline item event_of(const planner *p, uint32_t b, size_t k) {
    uint32_t access = p->all[b].steps[p->all[b].begin + k];
    return (item){p->threads[access], access};
}

/* The number of the root of a new tree. */
enum { FIRST = 1 };

/* What is said of nodes: of a new one its number, its parent, how many events its chain has and what these access; the number
 * of one, after how many events of its chain a new one stands, and the number of that; that a sequence stops at one, or goes
 * on (0); that the first branch of one is forgotten; the number of one without branches, and that which it gets. */
enum news { GROWS, SPLITS, STOPS, FORGETS, MOVES };

/* What is said in the place of a depth where the leaf is another one, or its execution. */
enum { ANOTHER = -1 };

/* Where a sequence leaves the tree: at the node, or within the chain of a branch, after so many events of that. */
typedef struct {
    uint32_t at, within;
    size_t after;
    scan rest;
} departure;

/* Whether sequences from above stop at a node. */
static inline int is_end(const planner *p, uint32_t b) {
    return p->all[b].state != INNER || p->all[b].is_free;
}

static inline int first_thread(const planner *p, uint32_t b) { return p->threads[p->all[b].head]; }

/* -- places.c -- */
/* Frees the accesses of a chain, and all blocks. */
void steps_free(planner *p, uint32_t b);
void blocks_free(planner *p);
/* A node without a parent, which may get so many events; 0: without memory. */
uint32_t place_new(planner *p, size_t length);
/* The same with this number, which no other one has. */
int place_make(planner *p, uint32_t b, size_t length);
/* Becomes the last branch of a parent. */
void place_append(planner *p, uint32_t b, uint32_t parent);
/* After the first events of a chain there is a node of its own from now on. */
void place_split(planner *p, uint32_t b, size_t count, uint32_t above);
/* A node without branches gets the number of one that was made without events, or has moved. */
void place_move(planner *p, uint32_t b, uint32_t to);
/* A node behind all branches of another one, after some events. */
uint32_t place_add(planner *p, uint32_t parent, const item *v, size_t count);
/* A node becomes a leaf. */
void places_leaf(planner *p, uint32_t b);
/* One such leaf more at a node, or less. */
void places_count(planner *p, uint32_t b, enum leaves which, int more);
/* Forgets what comes before all that is left, where nothing can come from above, as a leaf is explored. */
void places_drop(planner *p, uint32_t leaf);
/* Nothing comes to what is below a node. */
void places_free(planner *p, uint32_t b);
/* Forgets the first branch of a node. */
void places_drop_first(planner *p, uint32_t at);
/* Follows a sequence from the branch of a node on; returns whether it ends at a leaf, or leaves the tree nowhere. */
int places_follow(planner *p, uint32_t at, uint32_t b, item *v, size_t count, departure *from);
/* Makes the path the one to a leaf. */
void places_go_to(planner *p, uint32_t leaf);
/* Takes in what is to be explored from the node at a depth of the path, unless it is there already in a
 * branch behind that of the path. */
void places_insert(planner *p, size_t depth, item *v, size_t count);

/* -- planner.c -- */
/* A list of numbers, and an array that maps accesses. */
typedef struct {
    const int32_t *its, *map;
    size_t at, length, size;
} reading;

int32_t read_next(planner *p, reading *r);
/* So many branches are still to come. */
void expect(planner *p, int32_t count);
/* Adds a number to what is to be told. */
void give(planner *p, uint32_t number);

/* -- copies.c -- */
/* Says what copies have to know. */
void say_news(planner *p, const uint32_t *its, size_t count);
/* Whether a sequence that comes from a node on the way to a leaf, by accesses with other numbers, is there for certain. */
int copy_covers(planner *p, uint32_t leaf, size_t depth, const item *v, size_t count, const numbers *map);

#endif
