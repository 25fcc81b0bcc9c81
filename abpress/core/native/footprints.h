/* What steps access, as `abpress/relations/footprint.py`. */
#ifndef ABPRESS_FOOTPRINTS_H
#define ABPRESS_FOOTPRINTS_H

#include "core.h"

enum { LANES = MOST_THREADS + 1, NOBODY = -1, MOST_KEYS = 1 << 14, MAIN = 1 };

#define BIT(thread) (1ULL << ((thread) - 1))

/* What a step may access: a cell, the life of an object or of a thread. When it was recorded last, and
 * held something when events were taken back, who has written it last on the path, and who has read it since (in the list of readers). With
 * observers: a thread that writes it blindly, whether others do, too, and whether one was seen to wait for it. */
typedef struct {
    uint32_t read_at, written_at, held_at;
    int32_t writer;
    uint32_t readers;
    int of_thread, blind_by, contested, waited;
    size_t place;
} key;

/* A thread was seen to wait for it; the same, which others know. */
enum { WAITED = 1, WAIT_IS_KNOWN };

/* What the next step of a thread accesses: of the keys of all footprints those that it reads, and
 * behind them those that it writes. `ends`: the program; `lives`: it writes the life of a thread. So
 * many were `recorded` as reads: for whole executions what is not written blindly is read, too. */
typedef struct {
    uint32_t reads, writes, end, recorded;
    int thread, ends, lives;
} footprint;

/* Numbers of footprints are from 1 on. The bits of each are those that it touches, and behind them
 * those that it writes, `words` words each; bit 0 is the program's being alive, bit k the key k. `blind`
 * are the bits of those that it writes blindly; `overwritten` is as of sleepers. `whole`, `observes`, `contested` and `stale` are as of
 * `InternedFootprints`; `awaited` are names of keys for which others have seen threads wait. */
typedef struct {
    interner known, awaited;
    footprint *all;
    uint32_t *lists;
    uint64_t *bits, *sum, *blind, *overwritten;
    int whole, observes, contested, stale;
    size_t room, listed, list_room, words, bit_room;
    uint32_t *numbers; /* by places */
    key *keys;
    word *name;
    size_t key_count, key_room;
    uint32_t *read, *written, stamp; /* what is being recorded */
    uint32_t held; /* how often events were taken back */
    size_t read_count, written_count;
    int ends;
} footprints;

/* An event of a sequence that is to be explored. */
typedef struct {
    int thread;
    uint32_t access;
} item;

int footprints_new(core *c);
footprints *footprints_of(const core *c);
void footprints_free(core *c);
/* Forgets all footprints, which are stale, but for what threads wait for. 0: without memory. */
int footprints_again(core *c);
/* Gives all footprints bits for keys up to this one. */
int footprints_widen(footprints *f, size_t keys);
/* What a key is, in `KEY_WORDS` words that say the same in every process that has the same program,
 * but for the second one, a thread. */
enum { KEY_WORDS = 7 };
void name_key(const core *c, uint32_t key, word *name);
/* The object that has the cell, which is none of the static ones. */
const object *owner_of(const core *c, size_t cell);
void footprint_begin(core *c);
/* The number of what was recorded, of a step that has no choice if it is `certain`; 0 if it is refused. */
uint32_t footprint_end(core *c, int thread, int certain);
void record_read(core *c, size_t cell);
void record_write(core *c, size_t cell);
void record_lifetime(core *c, const object *o);
void record_observed(core *c, const object *o);
/* An access of these bytes ends the attempt, NOTE(failed-accesses). */
void record_failed(core *c, word pointer, uint64_t size);
/* That a step with stored states depends on the cells of an object (NULL: of all), of which footprints tell otherwise. */
void record_sight(core *c, const object *o);
/* The same of which objects there are. */
void record_objects(core *c);
void record_thread(core *c, int thread, int writes);
void record_end(core *c);
/* The event that has created the thread. */
int creation_of(const core *c, int thread);
/* The key of the life of a thread. */
uint32_t life_key(core *c, int thread);

/* -- waits.c -- */
/* That a thread waits, whose attempt accesses that. */
void waits_for(footprints *f, uint32_t access);
/* Of a new key: whether others have seen a thread wait for it. */
void recall_wait(core *c, uint32_t key);

/* Whether one of the steps writes what the other touches. */
static inline int in_conflict(const footprints *f, uint32_t a, uint32_t b) {
    const uint64_t *x = f->bits + 2 * f->words * a, *y = f->bits + 2 * f->words * b;
    if (f->words == 1) return ((x[0] & y[1]) | (x[1] & y[0])) != 0;
    uint64_t found = 0;
    for (size_t k = 0; k < f->words; k++)
        found |= (x[k] & y[f->words + k]) | (x[f->words + k] & y[k]);
    return found != 0;
}

/* The same of a step and those that are summed up. */
static inline int conflicts_with_sum(const footprints *f, uint32_t a) {
    const uint64_t *x = f->bits + 2 * f->words * a, *y = f->sum;
    if (f->words == 1) return ((x[0] & y[1]) | (x[1] & y[0])) != 0;
    uint64_t found = 0;
    for (size_t k = 0; k < f->words; k++)
        found |= (x[k] & y[f->words + k]) | (x[f->words + k] & y[k]);
    return found != 0;
}

/* Whether a step accesses nothing but what the other one does. */
static inline int is_part(const footprints *f, uint32_t a, uint32_t of) {
    const uint64_t *x = f->bits + 2 * f->words * a, *y = f->bits + 2 * f->words * of;
    uint64_t more = 0;
    for (size_t k = 0; k < 2 * f->words; k++) more |= x[k] & ~y[k];
    return more == 0;
}

static inline void sum_up(footprints *f, uint32_t a) {
    const uint64_t *x = f->bits + 2 * f->words * a;
    f->sum[0] |= x[0], f->sum[1] |= x[1];
    for (size_t k = 2; k < 2 * f->words; k++) f->sum[k] |= x[k];
}

static inline void sum_nothing(footprints *f) {
    for (size_t k = 0; k < 2 * f->words; k++) f->sum[k] = 0;
}

#endif
