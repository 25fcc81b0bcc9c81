/* Steps that are taken ahead: those of all threads of a new state are tried together, so that the looks
 * into memory which tell whether their states are known are made at once. What comes of it is kept, as
 * changes of the state and of its row, until the search comes to the step.
 *
 * Nothing may be seen of that: a step that would tell something, that has choices, ends the execution,
 * is refused or gives a thread its number is not kept, but taken when its turn comes. */
#include <stdlib.h>
#include <string.h>

#include "core.h"

enum { MOST_PATCHES = 64 };

int ahead_new(core *c) {
    c->successor_room = 1 << 8, c->patch_room = 1 << 10;
    c->successors = malloc(c->successor_room * sizeof *c->successors);
    c->patches = malloc(c->patch_room * sizeof *c->patches);
    return c->successors && c->patches;
}

void ahead_free(core *c) { free(c->successors), free(c->patches); }

void ahead_open(core *c, frame *f) {
    f->ahead = f->still = f->known = 0;
    f->successors = c->successor_count, f->patches = c->patch_count;
}

void ahead_close(core *c, const frame *f) {
    c->successor_count = f->successors, c->patch_count = f->patches;
}

static int room_for(core *c, size_t patches) {
    if (c->successor_count == c->successor_room) {
        successor *more = realloc(c->successors, 2 * c->successor_room * sizeof *more);
        if (more == NULL) return 0;
        c->successors = more, c->successor_room *= 2;
    }
    if (c->patch_count + patches > c->patch_room) {
        patch *more = realloc(c->patches, 2 * c->patch_room * sizeof *more);
        if (more == NULL) return 0;
        c->patches = more, c->patch_room *= 2;
    }
    return 1;
}

/* Keeps what differs after the step of a thread; 0 if it is too much. */
static int keep(core *c, const frame *f, int thread) {
    const uint32_t *before = c->rows + (c->depth - 1) * c->states.width;
    size_t changes = c->change_count - f->changes, columns = 0;
    if (changes > MOST_PATCHES || !room_for(c, changes + c->states.width)) return 0;
    patch *to = c->patches + c->patch_count;
    for (size_t k = 0; k < changes; k++) {
        uint32_t index = c->changes[f->changes + k].index;
        to[k] = (patch){index, c->s[index]};
    }
    for (size_t k = 0; k < c->states.width; k++)
        if (c->row[k] != before[k]) to[changes + columns++] = (patch){(uint32_t)k, c->row[k]};
    c->successors[c->successor_count++] =
        (successor){c->patch_count, thread, (unsigned)changes, (unsigned)columns};
    c->patch_count += changes + columns;
    return 1;
}

/* Tries the step of a thread at the top of the stack. Returns whether `c->row` is of its state. */
static int attempt(core *c, frame *f, int thread) {
    size_t width = c->states.width;
    c->prefix_length = 0;
    c->trial = TRIES;
    enum outcome found = machine_step(c, thread);
    int kept = c->trial == TRIES && c->taken_count == 0;
    c->trial = IN_TURN;
    int made = kept && found == STEPS && stored_row(c, f->changes) && c->states.width == width &&
               keep(c, f, thread);
    machine_undo(c, f->changes);
    if (kept && (found == AWAITS || found == ASSUMES)) f->still |= 1ULL << (thread - 1);
    if (made) f->ahead |= 1ULL << (thread - 1);
    return made;
}

enum met ahead_one(core *c, frame *f, int thread) {
    uint64_t bit = 1ULL << (thread - 1);
    if ((size_t)c->thread_count > c->columns || !attempt(c, f, thread)) return NOT_TRIED;
    enum met met = table_find(&c->states, c->row);
    if (met != NEVER) f->known |= bit;
    return met;
}

/* What is kept of steps to known states is not needed. */
static void forget(core *c, const frame *f) {
    size_t to = f->successors, patches = f->patches;
    for (size_t k = to; k < c->successor_count; k++) {
        successor its = c->successors[k];
        if (f->known >> (its.thread - 1) & 1) continue;
        size_t count = its.changes + its.columns;
        memmove(c->patches + patches, c->patches + its.first, count * sizeof *c->patches);
        its.first = patches, patches += count;
        c->successors[to++] = its;
    }
    c->successor_count = to, c->patch_count = patches;
}

void ahead_all(core *c, frame *f) {
    uint64_t rest = f->threads & ~(f->ahead | f->still);
    if ((rest & (rest - 1)) == 0 || (size_t)c->thread_count > c->columns) return;
    table_begin(&c->states);
    uint64_t asked = 0;
    for (; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        if (attempt(c, f, t) && table_ask(&c->states, c->row)) asked |= 1ULL << (t - 1);
    }
    for (size_t k = 0; asked != 0; asked &= asked - 1, k++)
        if (table_answer(&c->states, k) != NEVER) f->known |= asked & (~asked + 1);
    forget(c, f);
}

void ahead_take(core *c, const frame *f, int thread) {
    const successor *its = c->successors + f->successors;
    while (its->thread != thread) its++;
    const patch *from = c->patches + its->first;
    size_t width = c->states.width;
    for (unsigned k = 0; k < its->changes; k++) machine_put(c, from[k].index, from[k].value);
    memcpy(c->row, c->rows + (c->depth - 1) * width, width * sizeof *c->row);
    for (unsigned k = 0; k < its->columns; k++)
        c->row[from[its->changes + k].index] = (uint32_t)from[its->changes + k].value;
}
