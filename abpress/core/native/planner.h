/* One wakeup tree of which several searches explore leaves, NOTE(native-leaves): `places.c` has its
 * nodes, `planner.c` what is told of it and asked of it. */
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

typedef struct {
    footprints footprints; /* only their bits */
    int32_t *threads;      /* of accesses */
    size_t access_count;
    place *all;
    surroundings *around;
    size_t count, room;
    uint32_t unused, root;
    uint64_t leaves[2];
    item *v, *events; /* a sequence; of the execution that it is from */
    size_t v_room, event_count, event_room;
    numbers path;   /* to a leaf: for each event the node whose chain has it */
    numbers given;  /* what is to be told */
    numbers counts; /* of branches that are still to come */
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

static inline int first_thread(const planner *p, uint32_t b) { return p->threads[p->all[b].head]; }

/* -- places.c -- */
/* A node without a parent, which may get so many events; 0: without memory. */
uint32_t place_new(planner *p, size_t length);
/* A node behind all branches of another one, after some events. */
uint32_t place_add(planner *p, uint32_t parent, const item *v, size_t count);
/* A node becomes a leaf. */
void places_leaf(planner *p, uint32_t b);
/* One such leaf more at a node, or less. */
void places_count(planner *p, uint32_t b, enum leaves which, int more);
/* Forgets what comes before all that is left, where nothing can come from above, as a leaf is explored. */
void places_drop(planner *p, uint32_t leaf);
/* Makes the path the one to a leaf. */
void places_go_to(planner *p, uint32_t leaf);
/* Takes in what is to be explored from the node at a depth of the path, unless it is there already in a
 * branch behind that of the path. */
void places_insert(planner *p, size_t depth, item *v, size_t count);

#endif
