/* Sets whose members have numbers: of sequences of words (`stored.c`), and of rows of numbers (`rows.c`). */
#ifndef ABPRESS_SETS_H
#define ABPRESS_SETS_H

#include "program.h"

/* A set of sequences of words, each with a number from 1 on in the order of their addition. If several
 * searches have it in common, each has a copy of these fields: `original` are those that are up to date. */
typedef struct interner {
    uint32_t *slots, *ends;
    size_t mask, count, size, room, offsets, longest;
    unsigned char *bytes, *buffer;
    struct interner *original;
    struct common *common;
} interner;

int interner_new(interner *set);
void interner_free(interner *set);
/* The number of a sequence, which it gets if it has none; 0 without memory. */
uint32_t interner_number(interner *set, const word *words, size_t length);
/* The sequence with a number. Returns its length. */
size_t interner_words(const interner *set, uint32_t number, word *words);
/* The number of a sequence; 0: it has none, or there is no memory. */
uint32_t interner_find(interner *set, const word *words, size_t length);
/* The memory that is in use. */
size_t interner_bytes(const interner *set);
/* Has what is common in the place of what it has; and what was added there. */
void interner_follow(interner *set, interner *original);
void interner_catch_up(interner *set);

/* Spreads what differs in some bits over all. */
static inline uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* A set of rows of numbers. A row is packed into `size` words, with so many bits for each column;
 * there is room for so many of them. */
typedef struct {
    uint32_t *rows, *other, *packed, *newest; /* `newest`: packed, the one that was added last */
    unsigned char *bits;
    uint32_t *at; /* the first bit of each column */
    size_t count, room, width, size;
    size_t moves, last; /* how often the rows have moved, and where the last one was added */
    uint32_t *asked; /* packed rows that are looked up together, and the place of each */
    size_t *places, asked_count;
} table;

enum met { NEVER, ON_PATH, BEFORE, NOT_TRIED };
enum added { NO_MEMORY, KNOWN, ADDED };

/* An empty one; it may become as wide as `most`. */
int table_new(table *t, size_t width, size_t most);
void table_free(table *t);
void table_widen(table *t, size_t width);
/* Whether a row is there, and was not left. */
enum met table_find(const table *t, const uint32_t *row);
/* Adds a row. */
enum added table_add(table *t, const uint32_t *row);
/* That a row is left for good which was added there when the rows had moved so often. */
void table_leave(table *t, const uint32_t *row, size_t place, size_t moves);
size_t table_bytes(const table *t);
/* Looks up some rows, one for each thread at most, so that memory is waited for once: after the beginning
 * each is asked for (0: it is not there), then the answers come in that order. */
void table_begin(table *t);
int table_ask(table *t, const uint32_t *row);
/* The same of a row that differs from the newest one in some columns: these are changed one after the other
 * (0: the row is not there), then it is asked for. */
uint32_t *table_alter(table *t);
static inline int table_change(const table *t, uint32_t *packed, size_t column, uint32_t before, uint32_t after) {
    if ((uint64_t)after >> t->bits[column] != 0) return 0;
    uint64_t its = (uint64_t)(before ^ after) << (t->at[column] & 31);
    packed += t->at[column] >> 5;
    packed[0] ^= (uint32_t)its;
    if (its >> 32 != 0) packed[1] ^= (uint32_t)(its >> 32);
    return 1;
}
void table_ask_altered(table *t);
/* Adds a row; if anything was asked for since the last beginning, it is that row alone. */
enum added table_add_asked(table *t, const uint32_t *row);
enum met table_answer(const table *t, size_t k);

#endif
