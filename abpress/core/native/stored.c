/* Stored states, exact: memory, the objects that are met later, and each thread are interned in
 * parts; a state is a row of the numbers of its parts (rows.c), and only parts that changed are
 * looked up. Parts are sequences of bytes, in which small numbers take one. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "symmetric.h"

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

static uint64_t take_bytes(const unsigned char *from, int count) {
    uint64_t value = 0;
    for (int k = 0; k < count; k++) value |= (uint64_t)from[k] << 8 * k;
    return value;
}

static inline word of_zigzag(uint64_t its) { return (word)(its >> 1 ^ (~(its & 1) + 1)); }

/* The word that bytes are of. Returns what is behind them. */
static const unsigned char *read_back(const unsigned char *from, word *v) {
    int code = *from++, count = 0;
    uint64_t zigzag = (uint64_t)code;
    switch (code) {
    case IS_UNDEFINED: *v = UNDEFINED; return from;
    case IS_DEAD: *v = DEAD; return from;
    case ADDRESS: *v = (word)(take_bytes(from + 2, 2) << OFFSET_BITS | take_bytes(from, 2)); return from + 4;
    case TWO_BYTES: count = 2; break;
    case FOUR_BYTES: count = 4; break;
    case EIGHT_BYTES: count = 8; break;
    default: break;
    }
    if (count != 0) zigzag = take_bytes(from, count);
    *v = of_zigzag(zigzag);
    return from + count;
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
    if (set->original == NULL) free(set->slots), free(set->bytes), free(set->ends);
    free(set->buffer);
}

/* Another place for what is there; others who have it in common may still read it where it was. */
static void *moved(const interner *set, void *its, size_t used, size_t bytes) {
    if (set->common == NULL) return realloc(its, bytes);
    void *more = malloc(bytes);
    if (more != NULL) memcpy(more, its, used);
    if (more != NULL) common_retire(set->common, its);
    return more;
}

size_t interner_bytes(const interner *set) {
    return sizeof *set->slots * (set->mask + 1) + set->size + sizeof *set->ends * set->count;
}

static int interner_grow(interner *set, size_t count) {
    if (set->size + count > set->room) {
        size_t room = 2 * set->room + count;
        unsigned char *more = moved(set, set->bytes, set->size, room);
        if (more == NULL) return 0;
        set->bytes = more, set->room = room;
    }
    if (set->count + 2 > set->offsets) {
        uint32_t *more = moved(set, set->ends, (set->count + 1) * sizeof *more, 2 * set->offsets * sizeof *more);
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
        if (set->common == NULL) free(set->slots);
        else common_retire(set->common, set->slots);
        set->slots = slots, set->mask = mask;
    }
    return 1;
}

/* Writes a sequence into the buffer; returns how long it is there. 0: there is none, or no memory. */
static size_t write_down(interner *set, const word *words, size_t length) {
    if (length > set->longest) {
        unsigned char *more = realloc(set->buffer, 2 * length * LONGEST);
        if (more == NULL) return 0;
        set->buffer = more, set->longest = 2 * length;
    }
    unsigned char *end = set->buffer;
    for (size_t k = 0; k < length; k++) end = written(end, words[k]);
    return (size_t)(end - set->buffer);
}

/* The number of what is in the buffer, of which that is the hash. Others may add to the slots: what is
 * behind the `count` is not looked at. */
static uint32_t number_of(const interner *set, const unsigned char *buffer, size_t count, uint64_t h) {
    uint32_t slot;
    for (size_t i = h & set->mask; (slot = __atomic_load_n(&set->slots[i], __ATOMIC_RELAXED)) != 0;
         i = (i + 1) & set->mask) {
        size_t k = (slot & set->mask) - 1;
        if (slot == slot_of(h, set->mask, k + 1) && k < set->count && set->ends[k + 1] - set->ends[k] == count &&
            memcmp(set->bytes + set->ends[k], buffer, count) == 0)
            return (uint32_t)(k + 1);
    }
    return 0;
}

/* Adds what is in the buffer, which is not there. */
static uint32_t number_new(interner *set, const unsigned char *buffer, size_t count, uint64_t h) {
    size_t i;
    if (set->count >= UINT32_MAX / 2 || set->size + count > UINT32_MAX || !interner_grow(set, count))
        return 0;
    for (i = h & set->mask; set->slots[i] != 0;) i = (i + 1) & set->mask;
    memcpy(set->bytes + set->size, buffer, count);
    set->size += count;
    set->ends[++set->count] = (uint32_t)set->size;
    __atomic_store_n(&set->slots[i], slot_of(h, set->mask, set->count), __ATOMIC_RELAXED);
    return (uint32_t)set->count;
}

uint32_t interner_find(interner *set, const word *words, size_t length) {
    size_t count = write_down(set, words, length);
    return length > 0 && count == 0 ? 0 : number_of(set, set->buffer, count, hash_bytes(set->buffer, count));
}

/* The fields of the original, but for the buffer. */
static void copy_fields(interner *set) {
    interner its = *set->original;
    its.buffer = set->buffer, its.longest = set->longest, its.original = set->original;
    *set = its;
}

/* The same of what is in the buffer, where it is common. */
static uint32_t common_number(interner *set, size_t count, uint64_t h) {
    common_lock(&set->common->lock);
    uint32_t number = number_of(set->original, set->buffer, count, h);
    if (number == 0) number = number_new(set->original, set->buffer, count, h);
    copy_fields(set);
    common_unlock(&set->common->lock);
    return number;
}

uint32_t interner_number(interner *set, const word *words, size_t length) {
    size_t count = write_down(set, words, length);
    if (length > 0 && count == 0) return 0;
    uint64_t h = hash_bytes(set->buffer, count);
    uint32_t known = number_of(set, set->buffer, count, h);
    if (known != 0) return known;
    if (set->original != NULL) return common_number(set, count, h);
    return number_new(set, set->buffer, count, h);
}

void interner_follow(interner *set, interner *original) {
    free(set->slots), free(set->bytes), free(set->ends);
    set->original = original;
    copy_fields(set);
}

void interner_catch_up(interner *set) { copy_fields(set); }

size_t interner_words(const interner *set, uint32_t number, word *words) {
    const unsigned char *its = set->bytes + set->ends[number - 1], *end = set->bytes + set->ends[number];
    size_t length = 0;
    while (its < end) its = read_back(its, &words[length++]);
    return length;
}

/* -- states --------------------------------------------------------------------------------- */

int stored_new(core *c) {
    size_t cells = c->status + 1; /* the status is stored with the memory */
    c->chunk = cells / 8 > 16 ? cells / 8 : 16;
    c->chunks = (cells + c->chunk - 1) / c->chunk;
    c->columns = 3;
    size_t most = c->chunks + 1 + MOST_THREADS;
    c->rows_room = 256 * most;
    c->row = calloc(most, sizeof *c->row);
    c->rows = malloc(c->rows_room * sizeof *c->rows);
    c->found_room = 16 * most;
    c->found = malloc(c->found_room * sizeof *c->found);
    return c->row && c->rows && c->found && interner_new(&c->memory) && interner_new(&c->heap) &&
           interner_new(&c->frames) && table_new(&c->states, c->chunks + 1 + c->columns, most);
}

void stored_free(core *c) {
    interner_free(&c->memory), interner_free(&c->heap), interner_free(&c->frames);
    table_free(&c->states);
    free(c->row), free(c->rows), free(c->found);
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

/* Room on the stack for so many rows of so many columns. */
static int room_for_rows(core *c, size_t count, size_t width) {
    if (count * width <= c->rows_room) return 1;
    size_t room = 2 * count * width;
    uint32_t *more = realloc(c->rows, room * sizeof *more);
    if (more == NULL) return 0;
    c->rows = more, c->rows_room = room;
    return 1;
}

/* Gives rows more columns: of the states in the table, and on the stack, where they move. */
static int widen(core *c, size_t columns) {
    size_t from = c->states.width, to = c->chunks + 1 + columns;
    if (!room_for_rows(c, c->depth, to)) return 0;
    table_widen(&c->states, to);
    for (size_t k = c->depth; k-- > 0;) {
        memmove(c->rows + k * to, c->rows + k * from, from * sizeof *c->rows);
        memset(c->rows + k * to + from, 0, (to - from) * sizeof *c->rows);
    }
    memset(c->row + from, 0, (to - from) * sizeof *c->row);
    c->columns = columns;
    return 1;
}

int stored_room(core *c, size_t count, size_t columns) {
    if (columns > c->columns && !widen(c, columns)) return 0;
    return room_for_rows(c, count, c->states.width);
}

size_t stored_column(const core *c, size_t index) {
    if (index <= c->status) return index / c->chunk;
    return index >= c->dynamic ? c->chunks : c->chunks + 1 + (index - c->threads) / (size_t)c->stride;
}

int stored_row(core *c, size_t since) {
    uint64_t chunks = 0, threads = 0;
    int objects = 0;
    if (c->depth == 0) {
        memset(c->row, 0, (c->chunks + 1 + MOST_THREADS) * sizeof *c->row);
        chunks = (1ULL << c->chunks) - 1, threads = 1, objects = 1;
    } else {
        memcpy(c->row, stored_top(c), c->states.width * sizeof *c->row);
    }
    for (size_t k = since; k < c->change_count; k++) {
        size_t column = stored_column(c, c->changes[k].index);
        if (column < c->chunks) chunks |= 1ULL << column;
        else if (column == c->chunks) objects = 1;
        else threads |= 1ULL << (column - c->chunks - 1);
    }
    for (; chunks != 0; chunks &= chunks - 1) {
        size_t k = (size_t)__builtin_ctzll(chunks), from = k * c->chunk;
        size_t until = from + c->chunk < c->status + 1 ? from + c->chunk : c->status + 1;
        if (!part(c, k, &c->memory, c->s + from, until - from)) return 0;
    }
    if (objects && !part_of_objects(c)) return 0;
    for (; threads != 0; threads &= threads - 1) {
        int t = __builtin_ctzll(threads) + 1;
        if ((size_t)t > c->columns && !widen(c, 2 * (size_t)t < MOST_THREADS ? 2 * (size_t)t : MOST_THREADS))
            return 0;
        if (!part_of_thread(c, t)) return 0;
    }
    return 1;
}

/* How many words are the same at the beginning of both. They are one byte each. */
static size_t same_words(const unsigned char *one, const unsigned char *other, size_t count) {
    size_t k = 0;
    uint64_t its, others;
    for (; k + 8 <= count; k += 8) {
        memcpy(&its, one + k, 8), memcpy(&others, other + k, 8);
        if (its != others || its & 0x8080808080808080ULL) break;
    }
    while (k < count && one[k] == other[k] && one[k] < SMALL) k++;
    return k;
}

void stored_put(core *c, size_t column, uint32_t before, uint32_t number) {
    size_t to = column * c->chunk;
    const interner *set = &c->memory;
    if (column > c->chunks) to = c->threads + (column - c->chunks - 1) * (size_t)c->stride, set = &c->frames;
    const unsigned char *its = set->bytes + set->ends[number - 1], *end = set->bytes + set->ends[number];
    size_t count = set->ends[before] - set->ends[before - 1], most = (size_t)(end - its);
    size_t same = same_words(its, set->bytes + set->ends[before - 1], count < most ? count : most);
    to += same, its += same;
    for (word v; its < end; to++) {
        if (*its < SMALL) v = of_zigzag(*its++);
        else its = read_back(its, &v);
        if (c->s[to] != v) machine_put(c, to, v);
    }
}

int stored_push(core *c) {
    size_t width = c->states.width;
    if (!room_for_rows(c, c->depth + 1, width)) return 0;
    memcpy(c->rows + c->depth * width, c->row, width * sizeof *c->row);
    return 1;
}

void stored_leave(core *c, const frame *f) {
    if (c->algorithm == STATES || c->common != NULL) return;
    if (c->symmetric != NULL) symmetric_leave(c, f);
    else table_leave(&c->states, stored_top(c), f->place, f->moves);
}
