/* What steps do to the numbers of a row. A step depends on its thread, on its frame, and on the parts of
 * the state that it touches; so what it has done once it does again where these have the same numbers,
 * which is told without taking it.
 *
 * Nothing may be seen of that: a step that would tell something, that has choices, ends the execution,
 * is refused or gives a thread its number has no effect that is kept: NOTE(step-effects). */
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define ANYTHING (1ULL << 63)

enum { FEWEST = 1 << 9, MOST_KEPT = 1 << 16 };

int effects_new(core *c) {
    effects *e = &c->effects;
    e->mask = FEWEST - 1, e->frames = FEWEST;
    e->all = calloc(e->mask + 1, sizeof *e->all);
    e->touched = calloc(e->frames, sizeof *e->touched);
    c->decoded = malloc(((size_t)c->stride + MOST_CELLS) * sizeof *c->decoded);
    return e->all && e->touched && c->decoded;
}

void effects_free(core *c) { free(c->effects.all), free(c->effects.touched), free(c->decoded); }

size_t effects_bytes(const core *c) {
    const effects *e = &c->effects;
    return (e->mask + 1) * sizeof *e->all + e->frames * sizeof *e->touched;
}

static size_t own_column(const core *c, int thread) { return c->chunks + (size_t)thread; }

static uint64_t hash_of(uint32_t frame, int thread) {
    return ((uint64_t)frame << 8 | (uint64_t)thread) * 0x9fb21c651e98df25ULL;
}

static uint64_t hash_with(uint64_t h, uint32_t number) {
    return ((h ^ h >> 29) + number) * 0x9fb21c651e98df25ULL;
}

static size_t place_of_effect(const effects *e, const effect *its) {
    uint64_t h = hash_of(its->frame, its->thread);
    for (int k = 0; k < its->count; k++) h = hash_with(h, its->before[k]);
    return (size_t)(h >> 32) & e->mask;
}

/* Fills in what the step of the thread depends on, in a state with that row; 0 if that is too much. */
static int depends(const effects *e, effect *its, const uint32_t *row) {
    its->columns = e->touched[its->frame];
    its->count = 0;
    if (its->columns == ANYTHING) return 0;
    for (uint64_t rest = its->columns; rest != 0; rest &= rest - 1)
        its->before[its->count++] = row[__builtin_ctzll(rest)];
    return 1;
}

const effect *effect_find(const core *c, int thread) {
    const effects *e = &c->effects;
    const uint32_t *row = stored_top(c);
    uint32_t frame = row[own_column(c, thread)];
    if (frame >= e->frames || e->touched[frame] == ANYTHING) return NULL;
    uint64_t columns = e->touched[frame], h = hash_of(frame, thread);
    for (uint64_t rest = columns; rest != 0; rest &= rest - 1) h = hash_with(h, row[__builtin_ctzll(rest)]);
    const effect *found = e->all + ((size_t)(h >> 32) & e->mask);
    if (found->frame != frame || found->thread != thread || found->columns != columns) return NULL;
    const uint32_t *before = found->before;
    for (uint64_t rest = columns; rest != 0; rest &= rest - 1)
        if (*before++ != row[__builtin_ctzll(rest)]) return NULL;
    return found;
}

int effect_ask(core *c, const effect *its) {
    table *t = &c->states;
    uint32_t *packed = table_alter(t);
    int k = 0;
    for (uint64_t rest = its->columns; rest != 0; rest &= rest - 1, k++)
        if (!table_change(t, packed, (size_t)__builtin_ctzll(rest), its->before[k], its->after[k])) return 0;
    if (!table_change(t, packed, own_column(c, its->thread), its->frame, its->frame_after)) return 0;
    table_ask_altered(t);
    return 1;
}

void effect_row(core *c, const effect *its) {
    memcpy(c->row, stored_top(c), c->states.width * sizeof *c->row);
    int k = 0;
    for (uint64_t rest = its->columns; rest != 0; rest &= rest - 1)
        c->row[__builtin_ctzll(rest)] = its->after[k++];
    c->row[own_column(c, its->thread)] = its->frame_after;
}

void effect_take(core *c, const effect *its) {
    const uint32_t *before = stored_top(c);
    effect_row(c, its);
    c->taken_count = 0;
    table_begin(&c->states);
    if (c->row[c->chunks] != before[c->chunks]) { /* many cells, few of which change */
        c->prefix_length = 0;
        if (machine_step(c, its->thread) != STEPS) refuse(c, "a step that is not as it was");
        return;
    }
    if (c->common == NULL) table_ask(&c->states, c->row); /* the search adds it soon */
    int k = 0;
    for (uint64_t rest = its->columns; rest != 0; rest &= rest - 1, k++) {
        size_t column = (size_t)__builtin_ctzll(rest);
        if (before[column] != its->after[k]) stored_put(c, column, before[column], its->after[k]);
    }
    size_t own = own_column(c, its->thread);
    if (before[own] != its->frame_after) stored_put(c, own, before[own], its->frame_after);
}

/* -- keeping -------------------------------------------------------------------------------- */

int effect_begin(core *c, int thread) {
    effects *e = &c->effects;
    size_t frame = stored_top(c)[own_column(c, thread)];
    if (frame >= e->frames) {
        size_t frames = 2 * frame;
        uint64_t *more = realloc(e->touched, frames * sizeof *more);
        if (more == NULL) return 0;
        memset(more + e->frames, 0, (frames - e->frames) * sizeof *more);
        e->touched = more, e->frames = frames;
    }
    e->touches = e->touched[frame];
    return e->touches != ANYTHING;
}

static void touch_column(core *c, size_t column) {
    if (column == own_column(c, c->current)) return;
    if (column < 63) c->effects.touches |= 1ULL << column;
    else effect_end(c);
}

void effect_touch(core *c, size_t index) { touch_column(c, stored_column(c, index)); }

void effect_touch_object(core *c, const object *o) {
    size_t from = (size_t)o->slot, until = from + size_in_cells(c, o);
    if (until == from) return;
    for (size_t k = stored_column(c, from); k <= stored_column(c, until - 1); k++) touch_column(c, k);
}

void effect_touch_thread(core *c, int thread, int writes) {
    if (thread == c->current) return;
    if (writes) effect_end(c);
    else touch_column(c, own_column(c, thread));
}

void effect_end(core *c) { c->effects.touches |= ANYTHING; }

/* Room for four times as many, if most of what there is was replaced. */
static void grow(effects *e) {
    if (++e->misses <= e->mask || e->mask + 1 >= MOST_KEPT) return;
    effects more = *e;
    more.mask = 4 * e->mask + 3, more.misses = 0;
    more.all = calloc(more.mask + 1, sizeof *more.all);
    if (more.all == NULL) return;
    for (size_t k = 0; k <= e->mask; k++)
        if (e->all[k].frame != 0) more.all[place_of_effect(&more, &e->all[k])] = e->all[k];
    free(e->all);
    *e = more;
}

void effect_keep(core *c, int thread, enum outcome found) {
    effects *e = &c->effects;
    const uint32_t *row = stored_top(c);
    effect its = {.thread = thread, .frame = row[own_column(c, thread)], .found = found};
    if (e->touches & ANYTHING || __builtin_popcountll(e->touches) > MOST_TOUCHED) e->touches = ANYTHING;
    e->touched[its.frame] = e->touches;
    if (!depends(e, &its, row)) return;
    if (found == STEPS) {
        int k = 0;
        for (uint64_t rest = its.columns; rest != 0; rest &= rest - 1)
            its.after[k++] = c->row[__builtin_ctzll(rest)];
        its.frame_after = c->row[own_column(c, thread)];
    }
    grow(e);
    e->all[place_of_effect(e, &its)] = its;
}
