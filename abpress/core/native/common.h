/* What several searches of one process have in common, which run in threads of their own: the stored
 * states, and the numbers of what states consist of. */
#ifndef ABPRESS_COMMON_H
#define ABPRESS_COMMON_H

#include "core.h"

enum { SHARDS = 64 };

/* Some of the states, by what is in their rows. */
typedef struct {
    int lock;
    table states;
    char apart[64]; /* on lines of their own */
} shard;

/* A part of a search that somebody else goes on with: the lower end of its stack. */
typedef struct package {
    struct package *next;
    word *s;
    size_t top, change_count, depth, columns, width, alternative_count;
    change *changes;
    frame *stack;
    uint32_t *rows;
    int *alternatives;
} package;

typedef struct common {
    int lock; /* of all but the shards */
    int searches, idle, offered, stopped;
    package *packages;
    interner memory, heap, frames;
    object *objects; /* that were met, in the order of their numbers */
    size_t object_count, object_room;
    int thread_count, creators[MOST_THREADS + 1], numbers[MOST_THREADS + 1];
    void **retired; /* what somebody may still read */
    size_t retired_count, retired_room;
    uint64_t added;
    shard shards[SHARDS];
} common;

/* -- common.c -- */
void common_lock(int *its);
void common_unlock(int *its);
/* That nobody writes there any more; it is freed with all. */
void common_retire(common *its, void *memory);
/* Who names threads or objects knows what others have named, and tells what it has. */
void common_begin_naming(core *c);
void common_end_naming(core *c);
/* Adds `c->row`; and whether it is there. */
enum added common_add(core *c);
int common_has(core *c);
/* The same of several, of which the memory is waited for at once: each is asked for, then the answers come. */
void common_ask(core *c, size_t k);
int common_answer(core *c, size_t k);
/* Whether to go on no longer; every so many steps, it hands over what others can have. */
int common_pause(core *c, uint64_t most_states);

/* -- returning.c -- */
int returning_new(core *c);
void returning_free(core *c);
/* Whether all threads have to be explored at the top of the stack, rather than this one:
 * NOTE(returning). */
int asks_for_all(core *c, int alone);

#endif
