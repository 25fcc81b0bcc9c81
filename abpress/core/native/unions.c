/* What steps access together: bits as those of footprints, each set of them with a number from 1 on. */
#include <stdlib.h>
#include <string.h>

#include "dynamic.h"

enum { KEPT_RESULTS = 1 << 12 };

int unions_new(unions *u) {
    u->kept = calloc(KEPT_RESULTS, sizeof *u->kept);
    return u->kept != NULL && interner_new(&u->known);
}

void unions_free(unions *u) {
    interner_free(&u->known);
    free(u->kept), free(u->bits), free(u->starts), free(u->made), free(u->of_access);
}

/* So many words of what is touched, and as many of what is written. */
static size_t words_of(const unions *u, uint32_t number, const uint64_t **bits) {
    *bits = u->bits + u->starts[number];
    return (u->starts[number + 1] - u->starts[number]) / 2;
}

/* The number of the bits in `made`, of so many words each. */
static uint32_t number_of(core *c, size_t words) {
    unions *u = &c->graph->unions;
    size_t count = words;
    while (count > 0 && u->made[count - 1] == 0) count--; /* what is written is touched */
    memmove(u->made + count, u->made + words, count * sizeof *u->made);
    size_t before = u->known.count;
    uint32_t number = interner_number(&u->known, (const word *)u->made, 2 * count);
    if (number == 0) return refuse(c, "memory is used up"), 0;
    if (u->known.count == before) return number;
    if (!room_for((void **)&u->starts, &u->start_room, (size_t)number + 2, sizeof *u->starts) ||
        !room_for((void **)&u->bits, &u->bit_room, u->bit_count + 2 * count + 1, sizeof *u->bits))
        return refuse(c, "memory is used up"), 0;
    u->starts[number] = u->bit_count;
    memcpy(u->bits + u->bit_count, u->made, 2 * count * sizeof *u->made);
    u->starts[number + 1] = u->bit_count += 2 * count;
    return number;
}

static int room_to_make(core *c, size_t words) {
    unions *u = &c->graph->unions;
    if (room_for((void **)&u->made, &u->made_room, 2 * words + 1, sizeof *u->made)) return 1;
    return refuse(c, "memory is used up"), 0;
}

uint32_t union_of_nothing(core *c) { return room_to_make(c, 0) ? number_of(c, 0) : 0; }

uint32_t union_of_access(core *c, uint32_t access) {
    unions *u = &c->graph->unions;
    const footprints *f = &c->graph->footprints;
    size_t before = u->access_room;
    if (!room_for((void **)&u->of_access, &u->access_room, (size_t)access + 1, sizeof *u->of_access))
        return refuse(c, "memory is used up"), 0;
    if (u->access_room > before)
        memset(u->of_access + before, 0, (u->access_room - before) * sizeof *u->of_access);
    if (u->of_access[access] != 0 || !room_to_make(c, f->words)) return u->of_access[access];
    memcpy(u->made, f->bits + 2 * f->words * access, 2 * f->words * sizeof *u->made);
    return u->of_access[access] = number_of(c, f->words);
}

uint32_t union_of_cells(core *c, uint32_t access) {
    unions *u = &c->graph->unions;
    const footprints *f = &c->graph->footprints;
    const footprint *its = &f->all[access];
    if (!room_to_make(c, f->words)) return 0;
    memset(u->made, 0, 2 * f->words * sizeof *u->made);
    for (uint32_t k = its->reads; k < its->end; k++) {
        uint32_t key = f->lists[k];
        uint64_t bit = 1ULL << key % 64;
        if (f->keys[key].of_thread) continue;
        u->made[key / 64] |= bit;
        if (k >= its->writes) u->made[f->words + key / 64] |= bit;
    }
    return number_of(c, f->words);
}

size_t union_size(const unions *u, uint32_t number) {
    const uint64_t *x;
    size_t count = 0, words = words_of(u, number, &x);
    for (size_t k = 0; k < words; k++) count += (size_t)__builtin_popcountll(x[k]);
    return count;
}

/* The bits of either, or (`both`) of both. */
static uint32_t combined(core *c, uint32_t one, uint32_t other, int both) {
    unions *u = &c->graph->unions;
    if (one == other || one == 0 || other == 0) return one;
    uint64_t key = ((uint64_t)one << 32 | other) * 2 + (uint64_t)both;
    kept_union *kept = &u->kept[mixed(key) % KEPT_RESULTS];
    if (kept->one == one && kept->other == other && kept->both == both) return kept->found;
    const uint64_t *a, *b;
    size_t x = words_of(u, one, &a), y = words_of(u, other, &b), words = x > y ? x : y;
    if (!room_to_make(c, words)) return 0;
    for (size_t half = 0; half < 2; half++)
        for (size_t k = 0; k < words; k++) {
            uint64_t p = k < x ? a[half * x + k] : 0, q = k < y ? b[half * y + k] : 0;
            u->made[half * words + k] = both ? p & q : p | q;
        }
    uint32_t found = number_of(c, words);
    *kept = (kept_union){one, other, found, both};
    return found;
}

uint32_t union_of_either(core *c, uint32_t one, uint32_t other) { return combined(c, one, other, 0); }

uint32_t union_of_both(core *c, uint32_t one, uint32_t other) { return combined(c, one, other, 1); }

int union_conflicts(const core *c, uint32_t number, uint32_t access) {
    const footprints *f = &c->graph->footprints;
    const uint64_t *x, *y = f->bits + 2 * f->words * access;
    size_t words = words_of(&c->graph->unions, number, &x);
    for (size_t k = 0; k < words && k < f->words; k++)
        if ((x[k] & y[f->words + k]) | (x[words + k] & y[k])) return 1;
    return 0;
}
