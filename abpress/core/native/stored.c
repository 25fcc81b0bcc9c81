/* Stored states, exact: memory, the objects that are met later, and each thread are interned in
 * parts; a state is a row of the numbers of its parts, and only parts that changed are looked up.
 * Parts are sequences of bytes, in which small numbers take one; in rows each number has as many bits
 * as the largest one of its column. */
#include <stdlib.h>
#include <string.h>

#include "core.h"

static uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* A slot of a hash table: what is numbered from 1 on, below bits of the hash that tell most others
 * apart. Numbers fit, because less than all slots are in use. */
static uint32_t slot_of(uint64_t hash, size_t mask, size_t number) {
    return ((uint32_t)(hash >> 32) & ~(uint32_t)mask) | (uint32_t)number;
}

static int too_full(size_t count, size_t mask) { return 4 * (count + 2) > 3 * (mask + 1); }

/* -- sequences of words --------------------------------------------------------------------- */

enum { SMALL = 250, IS_UNDEFINED = SMALL, IS_DEAD, TWO_BYTES, FOUR_BYTES, EIGHT_BYTES, ADDRESS, LONGEST = 9 };

static unsigned char *put_bytes(unsigned char *to, int code, uint64_t value, int count) {
    *to++ = (unsigned char)code;
    for (int k = 0; k < count; k++, value >>= 8) *to++ = (unsigned char)value;
    return to;
}

/* Each word as bytes, the first of which tells how many there are: so equal bytes are equal words. */
static unsigned char *written(unsigned char *to, word v) {
    uint64_t zigzag = ((uint64_t)v << 1) ^ (uint64_t)(v < 0 ? -1 : 0), number = (uint64_t)v >> OFFSET_BITS;
    if (zigzag < SMALL) {
        *to = (unsigned char)zigzag;
        return to + 1;
    }
    if (v == UNDEFINED) return put_bytes(to, IS_UNDEFINED, 0, 0);
    if (v == DEAD) return put_bytes(to, IS_DEAD, 0, 0);
    if (zigzag >> 16 == 0) return put_bytes(to, TWO_BYTES, zigzag, 2);
    if (zigzag >> 32 == 0) return put_bytes(to, FOUR_BYTES, zigzag, 4);
    if (number >> 16 == 0 && ((uint64_t)v & OFFSET_MASK) >> 16 == 0)
        return put_bytes(to, ADDRESS, number << 16 | ((uint64_t)v & OFFSET_MASK), 4);
    return put_bytes(to, EIGHT_BYTES, zigzag, 8);
}

static uint64_t hash_bytes(const unsigned char *bytes, size_t count) {
    uint64_t h = 0x9e3779b97f4a7c15ULL ^ count, part;
    for (; count >= 8; bytes += 8, count -= 8) {
        memcpy(&part, bytes, 8);
        h = (h ^ part) * 0x9fb21c651e98df25ULL;
        h ^= h >> 29;
    }
    part = 0;
    memcpy(&part, bytes, count);
    h = (h ^ part) * 0x9fb21c651e98df25ULL;
    return mixed(h ^ h >> 29);
}

int interner_new(interner *set) {
    memset(set, 0, sizeof *set);
    set->mask = 255;
    set->room = 4096;
    set->longest = 64;
    set->offsets = 128;
    set->slots = calloc(set->mask + 1, sizeof *set->slots);
    set->bytes = malloc(set->room);
    set->ends = calloc(set->offsets, sizeof *set->ends);
    set->buffer = malloc(set->longest * LONGEST);
    return set->slots && set->bytes && set->ends && set->buffer;
}

void interner_free(interner *set) {
    free(set->slots), free(set->bytes), free(set->ends), free(set->buffer);
}

size_t interner_bytes(const interner *set) {
    return sizeof *set->slots * (set->mask + 1) + set->size + sizeof *set->ends * set->count;
}

static int interner_grow(interner *set, size_t count) {
    if (set->size + count > set->room) {
        size_t room = 2 * set->room + count;
        unsigned char *more = realloc(set->bytes, room);
        if (more == NULL) return 0;
        set->bytes = more, set->room = room;
    }
    if (set->count + 2 > set->offsets) {
        uint32_t *more = realloc(set->ends, 2 * set->offsets * sizeof *more);
        if (more == NULL) return 0;
        set->ends = more, set->offsets *= 2;
    }
    if (too_full(set->count, set->mask)) {
        size_t mask = 2 * set->mask + 1;
        uint32_t *slots = calloc(mask + 1, sizeof *slots);
        if (slots == NULL) return 0;
        for (size_t k = 0; k < set->count; k++) {
            uint64_t h = hash_bytes(set->bytes + set->ends[k], set->ends[k + 1] - set->ends[k]);
            size_t i = h & mask;
            while (slots[i] != 0) i = (i + 1) & mask;
            slots[i] = slot_of(h, mask, k + 1);
        }
        free(set->slots);
        set->slots = slots, set->mask = mask;
    }
    return 1;
}

uint32_t interner_number(interner *set, const word *words, size_t length) {
    if (length > set->longest) {
        unsigned char *more = realloc(set->buffer, 2 * length * LONGEST);
        if (more == NULL) return 0;
        set->buffer = more, set->longest = 2 * length;
    }
    unsigned char *end = set->buffer;
    for (size_t k = 0; k < length; k++) end = written(end, words[k]);
    size_t count = (size_t)(end - set->buffer), i;
    uint64_t h = hash_bytes(set->buffer, count);
    for (i = h & set->mask; set->slots[i] != 0; i = (i + 1) & set->mask) {
        size_t k = (set->slots[i] & set->mask) - 1;
        if (set->slots[i] == slot_of(h, set->mask, k + 1) && set->ends[k + 1] - set->ends[k] == count &&
            memcmp(set->bytes + set->ends[k], set->buffer, count) == 0)
            return (uint32_t)(k + 1);
    }
    if (set->count >= UINT32_MAX / 2 || set->size + count > UINT32_MAX || !interner_grow(set, count))
        return 0;
    for (i = h & set->mask; set->slots[i] != 0;) i = (i + 1) & set->mask;
    memcpy(set->bytes + set->size, set->buffer, count);
    set->size += count;
    set->ends[++set->count] = (uint32_t)set->size;
    set->slots[i] = slot_of(h, set->mask, set->count);
    return (uint32_t)set->count;
}

/* -- rows ----------------------------------------------------------------------------------- */

static uint64_t hash_row(const uint32_t *row, size_t width) {
    uint64_t h = 0;
    for (size_t k = 0; k < width; k++) {
        h = (h ^ row[k]) * 0x9fb21c651e98df25ULL;
        h ^= h >> 31;
    }
    return mixed(h);
}

static void pack(const table *t, const uint32_t *row, unsigned char *to) {
    uint64_t left = 0;
    int count = 0;
    for (size_t k = 0; k < t->width; k++) {
        left |= (uint64_t)row[k] << count;
        count += t->bits[k];
        if (count >= 32) {
            for (int j = 0; j < 4; j++, left >>= 8) *to++ = (unsigned char)left;
            count -= 32;
        }
    }
    for (; count > 0; count -= 8, left >>= 8) *to++ = (unsigned char)left;
}

static void unpack(const table *t, const unsigned char *from, uint32_t *row) {
    uint64_t left = 0;
    int count = 0;
    const unsigned char *end = from + t->size;
    for (size_t k = 0; k < t->width; k++) {
        int bits = t->bits[k];
        if (count < bits && end - from >= 4) {
            uint32_t more = from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
            left |= (uint64_t)more << count;
            from += 4, count += 32;
        }
        for (; count < bits; count += 8) left |= (uint64_t)*from++ << count;
        row[k] = (uint32_t)(left & ((1ULL << bits) - 1));
        left >>= bits, count -= bits;
    }
}

void table_row(const table *t, size_t k, uint32_t *row) { unpack(t, t->rows + k * t->size, row); }

int table_new(table *t, size_t width, size_t most) {
    memset(t, 0, sizeof *t);
    t->width = width;
    t->mask = (1 << 12) - 1;
    t->room = 1 << 11;
    t->slots = calloc(t->mask + 1, sizeof *t->slots);
    t->rows = malloc(1);
    t->left = calloc(t->room / 8, 1);
    t->bits = calloc(most, 1);
    t->packed = malloc(4 * most);
    t->other = malloc(most * sizeof *t->other);
    return t->slots && t->rows && t->left && t->bits && t->packed && t->other;
}

void table_free(table *t) {
    free(t->slots), free(t->rows), free(t->left), free(t->bits), free(t->packed), free(t->other);
}

size_t table_bytes(const table *t) {
    return sizeof *t->slots * (t->mask + 1) + t->count * t->size + t->count / 8;
}

static int table_hash(table *t, size_t mask) {
    uint32_t *slots = calloc(mask + 1, sizeof *slots);
    if (slots == NULL) return 0;
    for (size_t k = 0; k < t->count; k++) {
        table_row(t, k, t->other);
        uint64_t h = hash_row(t->other, t->width);
        size_t i = h & mask;
        while (slots[i] != 0) i = (i + 1) & mask;
        slots[i] = slot_of(h, mask, k + 1);
    }
    free(t->slots);
    t->slots = slots, t->mask = mask;
    return 1;
}

int table_widen(table *t, size_t width) {
    t->width = width; /* columns of no bits: rows are packed as before */
    return table_hash(t, t->mask);
}

static int fits(const table *t, const uint32_t *row) {
    for (size_t k = 0; k < t->width; k++)
        if ((uint64_t)row[k] >> t->bits[k] != 0) return 0;
    return 1;
}

/* Gives columns more bits, so that the row fits; two more than it takes, so that is done seldom. */
static int table_repack(table *t, const uint32_t *row) {
    table wide = *t;
    size_t bits = 0;
    wide.bits = malloc(t->width);
    if (wide.bits == NULL) return 0;
    for (size_t k = 0; k < t->width; k++) {
        int its = t->bits[k];
        while ((uint64_t)row[k] >> its != 0) its++;
        if (its > t->bits[k]) its = its + 2 < 32 ? its + 2 : 32;
        wide.bits[k] = (unsigned char)its;
        bits += (size_t)its;
    }
    wide.size = (bits + 7) / 8;
    wide.rows = malloc(wide.room * wide.size + 1);
    if (wide.rows == NULL) {
        free(wide.bits);
        return 0;
    }
    for (size_t k = 0; k < t->count; k++) {
        table_row(t, k, t->other);
        pack(&wide, t->other, wide.rows + k * wide.size);
    }
    memcpy(t->bits, wide.bits, t->width);
    free(wide.bits), free(t->rows);
    t->rows = wide.rows, t->size = wide.size;
    return 1;
}

/* The slot of a row that fits, and is packed. */
static size_t table_slot(const table *t, uint64_t h) {
    size_t i = h & t->mask;
    for (; t->slots[i] != 0; i = (i + 1) & t->mask) {
        size_t k = (t->slots[i] & t->mask) - 1;
        if (t->slots[i] == slot_of(h, t->mask, k + 1) &&
            memcmp(t->rows + k * t->size, t->packed, t->size) == 0)
            break;
    }
    return i;
}

uint32_t table_find(const table *t, const uint32_t *row) {
    if (!fits(t, row)) return NO_STATE;
    pack(t, row, t->packed);
    uint32_t slot = t->slots[table_slot(t, hash_row(row, t->width))];
    return slot == 0 ? NO_STATE : (uint32_t)((slot & t->mask) - 1);
}

uint32_t table_add(table *t, const uint32_t *row) {
    if (t->count >= UINT32_MAX / 2) return NO_STATE;
    if (t->count == t->room) {
        unsigned char *rows = realloc(t->rows, 2 * t->room * t->size + 1);
        if (rows == NULL) return NO_STATE;
        t->rows = rows;
        unsigned char *left = realloc(t->left, t->room / 4);
        if (left == NULL) return NO_STATE;
        memset(left + t->room / 8, 0, t->room / 8);
        t->left = left, t->room *= 2;
    }
    if (!fits(t, row) && !table_repack(t, row)) return NO_STATE;
    if (too_full(t->count, t->mask) && !table_hash(t, 2 * t->mask + 1)) return NO_STATE;
    uint64_t h = hash_row(row, t->width);
    pack(t, row, t->packed);
    size_t i = table_slot(t, h);
    memcpy(t->rows + t->count * t->size, t->packed, t->size);
    t->slots[i] = slot_of(h, t->mask, t->count + 1);
    return (uint32_t)t->count++;
}

int table_left(const table *t, uint32_t state) { return t->left[state / 8] >> state % 8 & 1; }

void table_leave(table *t, uint32_t state) { t->left[state / 8] |= (unsigned char)(1 << state % 8); }

/* -- states --------------------------------------------------------------------------------- */

int stored_new(core *c) {
    size_t cells = c->status + 1; /* the status is stored with the memory */
    c->chunk = cells / 8 > 16 ? cells / 8 : 16;
    c->chunks = (cells + c->chunk - 1) / c->chunk;
    c->columns = 3;
    size_t most = c->chunks + 1 + MOST_THREADS;
    c->row = calloc(most, sizeof *c->row);
    c->base_row = calloc(most, sizeof *c->row);
    c->base = NO_STATE;
    c->found_room = 16 * most;
    c->found = malloc(c->found_room * sizeof *c->found);
    return c->row && c->base_row && c->found && interner_new(&c->memory) && interner_new(&c->heap) &&
           interner_new(&c->frames) && table_new(&c->states, c->chunks + 1 + c->columns, most);
}

void stored_free(core *c) {
    interner_free(&c->memory), interner_free(&c->heap), interner_free(&c->frames);
    table_free(&c->states);
    free(c->row), free(c->base_row), free(c->found);
}

static int part(core *c, size_t column, interner *set, const word *words, size_t count) {
    c->row[column] = interner_number(set, words, count);
    return c->row[column] != 0;
}

static int part_of_thread(core *c, int t) {
    const word *its = thread_of(c, t);
    size_t column = c->chunks + (size_t)t;
    if (its[0] == ABSENT) {
        c->row[column] = 0;
        return 1;
    }
    size_t length = 2;
    if (its[0] != DONE) length = 1 + (size_t)c->p.locations[its[0]].length;
    return part(c, column, &c->frames, its, length);
}

static int part_of_objects(core *c) {
    size_t end = c->top;
    while (end > c->dynamic && c->s[end - 1] == DEAD) end--;
    return part(c, c->chunks, &c->heap, c->s + c->dynamic, end - c->dynamic);
}

int stored_row(core *c, uint32_t base, size_t since) {
    uint64_t chunks = 0, threads = 0;
    int objects = 0;
    if (base == NO_STATE) {
        memset(c->row, 0, (c->chunks + 1 + MOST_THREADS) * sizeof *c->row);
        chunks = (1ULL << c->chunks) - 1, threads = 1, objects = 1;
    } else {
        if (c->base != base) table_row(&c->states, base, c->base_row);
        c->base = base;
        memcpy(c->row, c->base_row, c->states.width * sizeof *c->row);
    }
    for (size_t k = since; k < c->change_count; k++) {
        size_t i = c->changes[k].index;
        if (i <= c->status) chunks |= 1ULL << (i / c->chunk);
        else if (i >= c->dynamic) objects = 1;
        else threads |= 1ULL << ((i - c->threads) / (size_t)c->stride);
    }
    for (; chunks != 0; chunks &= chunks - 1) {
        size_t k = (size_t)__builtin_ctzll(chunks), from = k * c->chunk;
        size_t until = from + c->chunk < c->status + 1 ? from + c->chunk : c->status + 1;
        if (!part(c, k, &c->memory, c->s + from, until - from)) return 0;
    }
    if (objects && !part_of_objects(c)) return 0;
    for (; threads != 0; threads &= threads - 1) {
        int t = __builtin_ctzll(threads) + 1;
        if ((size_t)t > c->columns) {
            size_t columns = 2 * (size_t)t < MOST_THREADS ? 2 * (size_t)t : MOST_THREADS;
            memset(c->row + c->states.width, 0, (columns - c->columns) * sizeof *c->row);
            if (!table_widen(&c->states, c->chunks + 1 + columns)) return 0;
            c->columns = columns;
            c->base = NO_STATE;
        }
        if (!part_of_thread(c, t)) return 0;
    }
    return 1;
}
