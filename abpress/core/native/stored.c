/* Stored states, exact: memory, the objects that are met later, and each thread are interned in
 * parts; a state is a row of the numbers of its parts, and only parts that changed are looked up. */
#include <stdlib.h>
#include <string.h>

#include "core.h"

static uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

#define TAG 0xffffffff00000000ULL

/* -- sequences of words --------------------------------------------------------------------- */

static uint64_t hash_words(const word *words, size_t count) {
    uint64_t h = 0x9e3779b97f4a7c15ULL ^ count;
    for (size_t k = 0; k < count; k++) {
        h = (h ^ (uint64_t)words[k]) * 0x9fb21c651e98df25ULL;
        h ^= h >> 29;
    }
    return mixed(h);
}

int interner_new(interner *set) {
    memset(set, 0, sizeof *set);
    set->mask = 255;
    set->room = 1024;
    set->offsets = 128;
    set->slots = calloc(set->mask + 1, sizeof *set->slots);
    set->words = malloc(set->room * sizeof *set->words);
    set->ends = calloc(set->offsets, sizeof *set->ends);
    return set->slots && set->words && set->ends;
}

void interner_free(interner *set) { free(set->slots), free(set->words), free(set->ends); }

static int interner_grow(interner *set, size_t count) {
    if (set->size + count > set->room) {
        size_t room = 2 * set->room + count;
        word *more = realloc(set->words, room * sizeof *more);
        if (more == NULL) return 0;
        set->words = more, set->room = room;
    }
    if (set->count + 2 > set->offsets) {
        uint64_t *more = realloc(set->ends, 2 * set->offsets * sizeof *more);
        if (more == NULL) return 0;
        set->ends = more, set->offsets *= 2;
    }
    if (2 * set->count > set->mask) {
        size_t mask = 2 * set->mask + 1;
        uint64_t *slots = calloc(mask + 1, sizeof *slots);
        if (slots == NULL) return 0;
        for (size_t k = 0; k < set->count; k++) {
            uint64_t h = hash_words(set->words + set->ends[k], set->ends[k + 1] - set->ends[k]);
            size_t i = h & mask;
            while (slots[i] != 0) i = (i + 1) & mask;
            slots[i] = (h & TAG) | (k + 1);
        }
        free(set->slots);
        set->slots = slots, set->mask = mask;
    }
    return 1;
}

uint32_t interner_number(interner *set, const word *words, size_t count) {
    uint64_t h = hash_words(words, count);
    size_t i = h & set->mask;
    for (; set->slots[i] != 0; i = (i + 1) & set->mask) {
        if ((set->slots[i] ^ h) & TAG) continue;
        size_t k = (set->slots[i] & ~TAG) - 1, from = set->ends[k];
        if (set->ends[k + 1] - from == count &&
            memcmp(set->words + from, words, count * sizeof *words) == 0)
            return (uint32_t)(k + 1);
    }
    if (set->count >= UINT32_MAX - 2 || !interner_grow(set, count)) return 0;
    for (i = h & set->mask; set->slots[i] != 0;) i = (i + 1) & set->mask;
    memcpy(set->words + set->size, words, count * sizeof *words);
    set->size += count;
    set->ends[++set->count] = set->size;
    set->slots[i] = (h & TAG) | set->count;
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

int table_new(table *t, size_t width) {
    memset(t, 0, sizeof *t);
    t->width = width;
    t->mask = (1 << 12) - 1;
    t->room = 1 << 11;
    t->slots = calloc(t->mask + 1, sizeof *t->slots);
    t->rows = malloc(t->room * width * sizeof *t->rows);
    t->left = calloc(t->room, 1);
    return t->slots && t->rows && t->left;
}

void table_free(table *t) { free(t->slots), free(t->rows), free(t->left); }

static int table_hash(table *t, size_t mask) {
    uint64_t *slots = calloc(mask + 1, sizeof *slots);
    if (slots == NULL) return 0;
    for (size_t k = 0; k < t->count; k++) {
        uint64_t h = hash_row(t->rows + k * t->width, t->width);
        size_t i = h & mask;
        while (slots[i] != 0) i = (i + 1) & mask;
        slots[i] = (h & TAG) | (k + 1);
    }
    free(t->slots);
    t->slots = slots, t->mask = mask;
    return 1;
}

int table_widen(table *t, size_t width) {
    uint32_t *rows = calloc(t->room * width, sizeof *rows);
    if (rows == NULL) return 0;
    for (size_t k = 0; k < t->count; k++)
        memcpy(rows + k * width, t->rows + k * t->width, t->width * sizeof *rows);
    free(t->rows);
    t->rows = rows, t->width = width;
    return table_hash(t, t->mask);
}

static size_t table_slot(const table *t, const uint32_t *row, uint64_t h) {
    size_t i = h & t->mask;
    for (; t->slots[i] != 0; i = (i + 1) & t->mask) {
        if ((t->slots[i] ^ h) & TAG) continue;
        size_t k = (t->slots[i] & ~TAG) - 1;
        if (memcmp(t->rows + k * t->width, row, t->width * sizeof *row) == 0) break;
    }
    return i;
}

uint32_t table_find(const table *t, const uint32_t *row) {
    uint64_t slot = t->slots[table_slot(t, row, hash_row(row, t->width))];
    return slot == 0 ? NO_STATE : (uint32_t)(slot & ~TAG) - 1;
}

uint32_t table_add(table *t, const uint32_t *row) {
    if (t->count >= UINT32_MAX - 2) return NO_STATE;
    if (t->count == t->room) {
        uint32_t *rows = realloc(t->rows, 2 * t->room * t->width * sizeof *rows);
        if (rows == NULL) return NO_STATE;
        t->rows = rows;
        unsigned char *left = realloc(t->left, 2 * t->room);
        if (left == NULL) return NO_STATE;
        t->left = left, t->room *= 2;
    }
    if (2 * t->count > t->mask && !table_hash(t, 2 * t->mask + 1)) return NO_STATE;
    uint64_t h = hash_row(row, t->width);
    size_t i = table_slot(t, row, h);
    memcpy(t->rows + t->count * t->width, row, t->width * sizeof *row);
    t->left[t->count] = 0;
    t->slots[i] = (h & TAG) | (t->count + 1);
    return (uint32_t)t->count++;
}

/* -- states --------------------------------------------------------------------------------- */

int stored_new(core *c) {
    size_t cells = c->status + 1; /* the status is stored with the memory */
    c->chunk = cells / 8 > 16 ? cells / 8 : 16;
    c->chunks = (cells + c->chunk - 1) / c->chunk;
    c->columns = 3;
    size_t most = c->chunks + 1 + MOST_THREADS;
    c->row = calloc(most, sizeof *c->row);
    c->found_room = 16 * most;
    c->found = malloc(c->found_room * sizeof *c->found);
    return c->row && c->found && interner_new(&c->memory) && interner_new(&c->heap) &&
           interner_new(&c->frames) && table_new(&c->states, c->chunks + 1 + c->columns);
}

void stored_free(core *c) {
    interner_free(&c->memory), interner_free(&c->heap), interner_free(&c->frames);
    table_free(&c->states);
    free(c->row), free(c->found);
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
        memcpy(c->row, c->states.rows + base * c->states.width, c->states.width * sizeof *c->row);
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
        }
        if (!part_of_thread(c, t)) return 0;
    }
    return 1;
}
