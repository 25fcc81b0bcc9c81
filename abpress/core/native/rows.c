/* A set of rows of numbers: the numbers of a row lie side by side, each with as many bits as the
 * largest one of its column, in a hash table without any other array, so that a row is one look into
 * memory. What is hashed to larger numbers lies further on: a table grows from its beginning to its
 * end. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>

#include "core.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

/* The lowest bits of a row in the table; a place that is not used is 0. */
enum { USED = 1, LEFT = 2, FLAGS = 2 };

/* Words that are zero. Many are asked for in large pages: rows are looked up at random. */
static uint32_t *zeroed(size_t count) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    size_t page = (size_t)1 << 21, bytes = (count * sizeof(uint32_t) + page - 1) / page * page;
    if (bytes >= 2 * page) {
        uint32_t *its = aligned_alloc(page, bytes);
        if (its == NULL) return NULL;
        madvise(its, bytes, MADV_HUGEPAGE); /* if it can be */
        return memset(its, 0, bytes);
    }
#endif
    return calloc(count, sizeof(uint32_t));
}

static uint64_t hash_packed(const uint32_t *packed, size_t size) {
    uint64_t h = 0;
    for (size_t k = 0; k < size; k++) {
        h = (h ^ packed[k]) * 0x9fb21c651e98df25ULL;
        h ^= h >> 31;
    }
    return mixed(h);
}

static void pack(const table *t, const uint32_t *row, uint32_t *to) {
    uint64_t left = USED;
    int count = FLAGS;
    for (size_t k = 0; k < t->width; k++) {
        left |= (uint64_t)row[k] << count;
        count += t->bits[k];
        if (count >= 32) *to++ = (uint32_t)left, left >>= 32, count -= 32;
    }
    if (count > 0) *to = (uint32_t)left;
}

static void unpack(const table *t, const uint32_t *from, uint32_t *row) {
    uint64_t left = *from++ >> FLAGS;
    int count = 32 - FLAGS;
    for (size_t k = 0; k < t->width; k++) {
        int bits = t->bits[k];
        if (count < bits) left |= (uint64_t)*from++ << count, count += 32;
        row[k] = (uint32_t)(left & ((1ULL << bits) - 1));
        left >>= bits, count -= bits;
    }
}

/* Where a packed row is, if it is where its hash says. */
static size_t first_place(const table *t, const uint32_t *packed) {
    return (size_t)((bits128)hash_packed(packed, t->size) * t->room >> 64);
}

/* Where a packed row is, or where it would be, from there on. */
static uint32_t *place_from(const table *t, const uint32_t *packed, size_t k) {
    uint32_t *end = t->rows + t->room * t->size, *its = t->rows + k * t->size;
    for (;; its = its + t->size == end ? t->rows : its + t->size) {
        if (its[0] == 0) return its;
        if ((its[0] | LEFT) != (packed[0] | LEFT)) continue;
        size_t same = 1;
        while (same < t->size && its[same] == packed[same]) same++;
        if (same == t->size) return its;
    }
}

static uint32_t *place_of(const table *t, const uint32_t *packed) {
    return place_from(t, packed, first_place(t, packed));
}

/* Moves the rows to so many places, in the form that `to` has. */
static int table_move(table *t, table to, size_t room) {
    to.room = room;
    to.rows = zeroed(to.room * to.size);
    if (to.rows == NULL) return 0;
    int alike = memcmp(to.bits, t->bits, t->width) == 0;
    for (size_t k = 0; k < t->room; k++) {
        const uint32_t *its = t->rows + k * t->size;
        if (its[0] == 0) continue;
        uint32_t left = its[0] & LEFT;
        if (alike) {
            memcpy(t->packed, its, t->size * sizeof *its);
            t->packed[0] &= ~(uint32_t)LEFT;
        } else {
            unpack(t, its, t->other);
            pack(&to, t->other, t->packed);
        }
        uint32_t *place = place_of(&to, t->packed);
        memcpy(place, t->packed, to.size * sizeof *place);
        place[0] |= left;
    }
    free(t->rows);
    t->rows = to.rows, t->room = to.room, t->size = to.size;
    t->moves++;
    return 1;
}

static void place_columns(table *t) {
    uint32_t at = FLAGS;
    for (size_t k = 0; k < t->width; at += t->bits[k++]) t->at[k] = at;
}

int table_new(table *t, size_t width, size_t most) {
    memset(t, 0, sizeof *t);
    t->width = width;
    t->room = 1 << 12;
    t->size = 1;
    t->rows = zeroed(t->room);
    t->bits = calloc(most, 1);
    t->at = calloc(most, sizeof *t->at);
    t->packed = calloc(most + 1, sizeof *t->packed);
    t->newest = calloc(most + 1, sizeof *t->newest);
    t->other = calloc(most, sizeof *t->other);
    t->asked = calloc((most + 1) * MOST_THREADS, sizeof *t->asked);
    t->places = calloc(MOST_THREADS, sizeof *t->places);
    if (!t->rows || !t->bits || !t->at || !t->packed || !t->newest || !t->other || !t->asked || !t->places) return 0;
    place_columns(t);
    return 1;
}

void table_free(table *t) {
    free(t->rows), free(t->bits), free(t->at), free(t->packed), free(t->newest), free(t->other);
    free(t->asked), free(t->places);
}

size_t table_bytes(const table *t) { return t->room * t->size * sizeof *t->rows; }

void table_widen(table *t, size_t width) {
    t->width = width; /* with columns of no bits */
    place_columns(t);
}

static int fits(const table *t, const uint32_t *row) {
    for (size_t k = 0; k < t->width; k++)
        if ((uint64_t)row[k] >> t->bits[k] != 0) return 0;
    return 1;
}

/* Gives columns more bits, so that the row fits; two more than it takes, so that is done seldom. */
static int table_repack(table *t, const uint32_t *row) {
    table wide = *t;
    size_t bits = FLAGS;
    wide.bits = malloc(t->width);
    if (wide.bits == NULL) return 0;
    for (size_t k = 0; k < t->width; k++) {
        int its = t->bits[k];
        while ((uint64_t)row[k] >> its != 0) its++;
        if (its > t->bits[k]) its = its + 2 < 32 ? its + 2 : 32;
        wide.bits[k] = (unsigned char)its;
        bits += (size_t)its;
    }
    wide.size = (bits + 31) / 32;
    int done = table_move(t, wide, t->room);
    if (done) memcpy(t->bits, wide.bits, t->width), place_columns(t);
    free(wide.bits);
    return done;
}

static enum met met_at(const uint32_t *place) {
    return place[0] == 0 ? NEVER : place[0] & LEFT ? BEFORE : ON_PATH;
}

enum met table_find(const table *t, const uint32_t *row) {
    if (!fits(t, row)) return NEVER;
    pack(t, row, t->packed);
    return met_at(place_of(t, t->packed));
}

void table_begin(table *t) { t->asked_count = 0; }

int table_ask(table *t, const uint32_t *row) {
    if (!fits(t, row)) return 0;
    pack(t, row, t->asked + t->asked_count * t->size);
    table_ask_altered(t);
    return 1;
}

uint32_t *table_alter(table *t) {
    uint32_t *packed = t->asked + t->asked_count * t->size;
    for (size_t k = 0; k < t->size; k++) packed[k] = t->newest[k];
    return packed;
}

void table_ask_altered(table *t) {
    size_t k = t->places[t->asked_count] = first_place(t, t->asked + t->asked_count * t->size);
    t->asked_count++;
    __builtin_prefetch(t->rows + k * t->size);
    __builtin_prefetch(t->rows + (k + 1) * t->size);
}

enum met table_answer(const table *t, size_t k) {
    return met_at(place_from(t, t->asked + k * t->size, t->places[k]));
}

/* Adds the packed row, which belongs there. */
static enum added add_at(table *t, uint32_t *place) {
    if (place[0] != 0) return KNOWN;
    for (size_t k = 0; k < t->size; k++) t->newest[k] = t->packed[k];
    if (5 * (t->count + 1) > 3 * t->room) {
        if (!table_move(t, *t, t->room + t->room / 2)) return NO_MEMORY;
        place = place_of(t, t->newest);
    }
    for (size_t k = 0; k < t->size; k++) place[k] = t->newest[k];
    t->count++;
    t->last = (size_t)(place - t->rows);
    return ADDED;
}

enum added table_add(table *t, const uint32_t *row) {
    if (!fits(t, row) && !table_repack(t, row)) return NO_MEMORY;
    pack(t, row, t->packed);
    return add_at(t, place_of(t, t->packed));
}

enum added table_add_asked(table *t, const uint32_t *row) {
    if (t->asked_count != 1) return table_add(t, row);
    for (size_t k = 0; k < t->size; k++) t->packed[k] = t->asked[k];
    return add_at(t, place_from(t, t->packed, t->places[0]));
}

void table_leave(table *t, const uint32_t *row, size_t place, size_t moves) {
    if (moves == t->moves) {
        t->rows[place] |= LEFT;
        return;
    }
    pack(t, row, t->packed);
    place_of(t, t->packed)[0] |= LEFT;
}
