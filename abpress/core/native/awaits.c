/* Loops that only wait for other threads count as waiting, NOTE(useless-rounds): as
 * `abpress/search/awaits.py`. What a thread remembers stands behind its registers: the number of a
 * list of local states, the latest at its head; nothing is 0 or less. */
#include <string.h>

#include "executions.h"

enum { MOST_REMEMBERED = 32, MOST_TRIED = 4 };

static size_t memory_of(const core *c, int thread) {
    return (size_t)(thread_of(c, thread) - c->s) + 1 + (size_t)c->p.frame;
}

static const location *location_of(const core *c, int thread) {
    word pc = thread_of(c, thread)[0];
    return pc < 0 ? NULL : &c->p.locations[pc];
}

/* -- local states --------------------------------------------------------------------------- */

static size_t length_of(const core *c, const word *its) {
    return 1 + (size_t)c->p.locations[its[0]].length;
}

static int keep_words(executions *x, uint32_t number, const word *its, size_t length) {
    if (!room_for((void **)&x->local_starts, &x->local_start_room, (size_t)number + 2,
                  sizeof *x->local_starts))
        return 0;
    size_t start = number == 1 ? 0 : x->local_starts[number];
    if (!room_for((void **)&x->local_words, &x->local_word_room, start + length, sizeof *its)) return 0;
    memcpy(x->local_words + start, its, length * sizeof *its);
    x->local_starts[number] = start, x->local_starts[number + 1] = start + length;
    return 1;
}

static const word *words_of(const executions *x, uint32_t number) {
    return x->local_words + x->local_starts[number];
}

uint32_t local_number(core *c, int thread) {
    executions *x = c->executions;
    const word *its = thread_of(c, thread);
    size_t before = x->locals.count, length = length_of(c, its);
    uint32_t number = interner_number(&x->locals, its, length);
    if (number == 0 || (x->locals.count > before && !keep_words(x, number, its, length)))
        return refuse(c, "memory is used up"), 0;
    return number;
}

local_state state_before(core *c, int thread) {
    const location *l = location_of(c, thread);
    local_state its = {0};
    if (l->cycle == 0 && !l->source) return its;
    its.number = local_number(c, thread);
    its.cycle = l->cycle, its.pc = thread_of(c, thread)[0];
    return its;
}

/* -- what a step writes --------------------------------------------------------------------- */

enum outcome step_from(core *c, int thread, local_state before, uint32_t access) {
    if (before.number == 0 || is_quiet(c->executions, access)) return machine_step(c, thread);
    footprint_begin(c);
    c->records = 1;
    enum outcome found = machine_step(c, thread);
    c->records = 0;
    return found;
}

/* The cell with an address; NOBODY if there is none. */
static int64_t cell_at(const core *c, word pointer) {
    uint64_t number = (uint64_t)pointer >> OFFSET_BITS, offset = (uint64_t)pointer & OFFSET_MASK;
    if (number >= c->object_count || c->objects[number].slot < 0) return NOBODY;
    const object *o = &c->objects[number];
    const layout *l = &c->p.layouts[o->layout];
    uint64_t e = l->size > 0 ? offset / (uint64_t)l->size : 0;
    if (e >= (uint64_t)o->count) return NOBODY;
    for (int k = 0; k < l->count; k++)
        if ((uint64_t)l->cells[k].offset == offset - e * (uint64_t)l->size)
            return (int64_t)o->slot + (int64_t)e * l->count + k;
    return NOBODY;
}

/* The cells of the thread's own in a local state; returns how many there are. */
static int own_cells(const core *c, uint32_t number, int64_t *cells) {
    const word *its = words_of(c->executions, number);
    const location *l = &c->p.locations[its[0]];
    for (int k = 0; k < l->own_count; k++) {
        const own_cell *o = &l->own[k];
        cells[k] = o->at < 0 ? NOBODY : cell_at(c, (word)((uint64_t)its[1 + o->at] + (uint64_t)o->offset));
    }
    return l->own_count;
}

static int is_own(const executions *x, const int64_t *cells, int count, uint32_t key) {
    for (int k = 0; k < count; k++)
        if (cells[k] >= 0 && x->footprints.numbers[cells[k]] == key) return 1;
    return 0;
}

/* Whether all that was recorded to be written is the thread's own. */
static int writes_own(const executions *x, const int64_t *cells, int count) {
    const footprints *f = &x->footprints;
    if (f->ends) return 0;
    for (size_t k = 0; k < f->written_count; k++)
        if (!is_own(x, cells, count, f->written[k])) return 0;
    return 1;
}

/* Whether the step that was taken from a local state writes nothing but what is the thread's own. */
static int writes_nothing(const core *c, local_state before, uint32_t access) {
    if (is_quiet(c->executions, access)) return 1;
    int64_t cells[MOST_OWN];
    int count = own_cells(c, before.number, cells);
    return writes_own(c->executions, cells, count);
}

/* -- rounds --------------------------------------------------------------------------------- */

static int is_source(const location *l, word pc) {
    for (int k = 0; k < l->source_count; k++)
        if (l->sources[k] == pc) return 1;
    return 0;
}

/* Whether all that was recorded to be read the access touches, and nothing of it is the thread's own;
 * and what is alive was written. */
static int depends_alike(const core *c, uint32_t access, const int64_t *cells, int count, uint64_t alive) {
    const executions *x = c->executions;
    const footprints *f = &x->footprints;
    const uint64_t *touched = f->bits + 2 * f->words * access;
    for (size_t k = 0; k < f->read_count; k++) {
        uint32_t key = f->read[k];
        if (key / 64 >= f->words || !(touched[key / 64] >> key % 64 & 1)) return 0;
        if (is_own(x, cells, count, key)) return 0;
    }
    for (; alive != 0; alive &= alive - 1) {
        int64_t cell = cells[__builtin_ctzll(alive)];
        uint32_t key = cell < 0 ? 0 : f->numbers[cell];
        if (key == 0 || f->keys[key].written_at != f->stamp) return 0;
    }
    return 1;
}

/* What the cell has held before the changes. */
static word content_before(const core *c, size_t cell, size_t since) {
    for (size_t k = since; k < c->change_count; k++)
        if (c->changes[k].index == cell) return c->changes[k].before;
    return c->s[cell];
}

/* Whether one step from a local state that the thread has passed would lead to the same state as the
 * one that the machine has taken, and depends on nothing else. */
static int leads(core *c, int thread, uint32_t passed, local_state before, uint32_t access, size_t since) {
    executions *x = c->executions;
    const location *there = location_of(c, thread), *here = &c->p.locations[before.pc];
    for (int k = 0; k < here->own_count; k++)
        if (here->own[k].at < 0) return 0;
    size_t base = (size_t)(thread_of(c, thread) - c->s), mark = c->change_count;
    int taken_count = c->taken_count, violation = c->violation, same;
    int taken[MOST_CHOICES], widths[MOST_CHOICES];
    memcpy(taken, c->taken, (size_t)taken_count * sizeof *taken);
    memcpy(widths, c->widths, (size_t)taken_count * sizeof *widths);
    uint32_t after = local_number(c, thread);
    int64_t cells[MOST_OWN];
    word contents[MOST_OWN];
    int count = own_cells(c, before.number, cells);
    for (int k = 0; k < count; k++) {
        if (cells[k] < 0) continue;
        contents[k] = c->s[cells[k]];
        machine_put(c, (size_t)cells[k], content_before(c, (size_t)cells[k], since));
    }
    const word *its = words_of(x, passed);
    for (size_t k = 0; k < length_of(c, its); k++) machine_put(c, base + k, its[k]);
    footprint_begin(c);
    c->prefix_length = 0, c->records = c->silent = 1;
    enum outcome found = machine_step(c, thread);
    c->records = c->silent = 0;
    same = found == STEPS && c->taken_count == 0 && c->s[base] >= 0 && local_number(c, thread) == after &&
           writes_own(x, cells, count) && depends_alike(c, access, cells, count, there->alive);
    for (int k = 0; k < count && same; k++)
        if (cells[k] >= 0 && c->s[cells[k]] != contents[k]) same = 0;
    machine_undo(c, mark);
    memcpy(c->taken, taken, (size_t)taken_count * sizeof *taken);
    memcpy(c->widths, widths, (size_t)taken_count * sizeof *widths);
    c->taken_count = taken_count, c->violation = violation;
    return same;
}

static int stays_on(const core *c, int thread, word cycle) {
    const location *l = location_of(c, thread);
    return cycle != 0 && l != NULL && l->cycle == cycle;
}

int comes_back(core *c, int thread, local_state before, uint32_t access, size_t since) {
    executions *x = c->executions;
    if (!stays_on(c, thread, before.cycle) || !writes_nothing(c, before, access)) return 0;
    const location *there = location_of(c, thread);
    uint32_t after = local_number(c, thread);
    if (there->alive == 0 && after == before.number) return 1;
    word first = c->s[memory_of(c, thread)], list = first;
    for (int k = 0; k < MOST_REMEMBERED && list > 0 && there->alive == 0; k++, list = x->remembered[list].rest)
        if (x->remembered[list].state == after) return 1;
    int tried = 0;
    list = first;
    for (int k = 0; k < MOST_REMEMBERED && list > 0 && tried < MOST_TRIED && !c->over; k++) {
        uint32_t passed = x->remembered[list].state;
        list = x->remembered[list].rest;
        if (!is_source(there, words_of(x, passed)[0])) continue;
        if (leads(c, thread, passed, before, access, since)) return 1;
        tried++;
    }
    return 0;
}

/* What the thread remembers after the step that was taken from a local state. */
static word list_after(core *c, int thread, local_state before, uint32_t access) {
    executions *x = c->executions;
    const location *there = location_of(c, thread);
    if (before.number == 0 || there == NULL || there->cycle == 0) return 0;
    int goes_round = there->cycle == before.cycle;
    if (goes_round ? !there->remembered : !is_source(there, before.pc)) return 0;
    if (!writes_nothing(c, before, access)) return 0;
    word list = goes_round ? c->s[memory_of(c, thread)] : 0;
    const word name[] = {list > 0 ? list : 0, before.number};
    uint32_t next = interner_number(&x->lists, name, 2);
    if (next == 0 || !room_for((void **)&x->remembered, &x->remembered_room, (size_t)next + 1,
                               sizeof *x->remembered))
        return refuse(c, "memory is used up"), 0;
    x->remembered[next].rest = name[0], x->remembered[next].state = before.number;
    return next;
}

size_t passed_by(const core *c, int thread, int most, word *states) {
    const executions *x = c->executions;
    size_t count = 0;
    for (word list = c->s[memory_of(c, thread)]; list > 0 && (int)count < most; list = x->remembered[list].rest)
        states[count++] = (word)x->remembered[list].state;
    return count;
}

void remember(core *c, int thread, local_state before, uint32_t access) {
    word next = list_after(c, thread, before, access);
    if (c->s[memory_of(c, thread)] > 0 || next > 0) machine_put(c, memory_of(c, thread), next);
}
