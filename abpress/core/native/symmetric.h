/* One key for states that differ in which of several equal threads does what, NOTE(symmetric-threads). */
#ifndef ABPRESS_SYMMETRIC_H
#define ABPRESS_SYMMETRIC_H

#include "core.h"

enum { MASKED_PARTS = 1 << 12 };

/* A part of a row without the ids of threads of classes, `mine` of which there are. Of which it holds a handle, and of
 * which several; its handles as they are, and whom it names where, as numbers in `handles` and `names`, 0 for none.
 * `foreign`: it is a thread of a class that knows the id of another one. */
typedef struct {
    uint64_t mine, once, more;
    uint32_t number, masked, names, handles;
    int column, foreign;
} masked_part;

/* What is seen of a state: the threads that there are, that are of classes, and that have ended; those of which `main`
 * has a handle, and several; where `main` stands, and if its joins are full there, which threads these join. */
typedef struct {
    uint64_t present, mine, ended, once, more, joined;
    word main_at;
    int full;
} sight;

/* Which threads `main` joins, if that can be told, and whether the reference was asked. */
typedef struct {
    uint64_t threads;
    int asked, any;
} joins;

typedef struct symmetric {
    table keys;
    uint32_t *key; /* the one that was made last, and what was seen of its state */
    sight seen;
    interner masked, names, handles, signatures, questions;
    masked_part *parts;
    joins *runs;          /* by the numbers in `questions` */
    word *pcs;            /* of frames by their numbers: where they stand + 2, 0: not known yet */
    uint32_t *usual;      /* the signatures of threads that nothing names, by frame, class and being held */
    unsigned char *sorts; /* the classes of signatures */
    word *words, *noted, *named; /* threads, each before a place that names it: of a part, and of a state */
    size_t columns, run_room, pc_room, usual_room, sort_room, noted_room, named_room, noted_count, named_count;
    signed char class_of[MOST_THREADS + 1];
    uint64_t of_class[MOST_CLASSES], chunks; /* the columns of memory in which ids may be */
    bits128 stands_for; /* the states whose keys were met, with all permutations of their threads */
    int apart;          /* what is refused tells threads apart */
} symmetric;

int symmetric_new(core *c);
void symmetric_free(core *c);
size_t symmetric_bytes(const core *c);
/* Makes the key of `c->row`, the state that the step of a thread from the top leads to; or of the first one. `quietly`:
 * not where threads may be told apart by that. 0: there is none. */
int symmetric_key(core *c, int thread, int quietly);
/* Makes the key, and adds it, or looks it up. */
enum added symmetric_add(core *c, int thread);
enum met symmetric_find(core *c, int thread);
/* Takes in that the state whose key was made last is new, and at the top of the stack. Returns whether `main` does not
 * join yet. */
int symmetric_enter(core *c);
/* That the state at the top is left for good. */
void symmetric_leave(core *c, const frame *f);
/* Looks at the step of `main` that leads to the state of `c->row`. 0: it tells threads apart. */
int symmetric_look(core *c, const frame *f);

/* The states that a search has for itself, by their rows or keys. */
static inline table *stored_keys(core *c) { return c->symmetric != NULL ? &c->symmetric->keys : &c->states; }

#endif
