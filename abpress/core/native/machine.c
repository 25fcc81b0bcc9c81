/* The state: steps of threads change it, and what it was is kept; choices, and names of threads. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "hunt.h"

int in_turn(core *c) {
    if (c->trial == IN_TURN) return 1;
    c->trial = FAILS;
    return 0;
}

enum outcome refuse(core *c, const char *why) {
    if (!in_turn(c)) return REFUSED;
    if (c->refusal == NULL) {
        c->refusal = why;
        c->refused_at = c->current > 0 && c->current <= MOST_THREADS ? thread_of(c, c->current)[0] : -1;
    }
    c->over = 1;
    return REFUSED;
}

/* -- changes -------------------------------------------------------------------------------- */

void machine_put(core *c, size_t index, word value) {
    if (c->s[index] == value) return;
    if (c->change_count == c->change_room) {
        size_t room = c->change_room * 2;
        change *more = realloc(c->changes, room * sizeof *more);
        if (more == NULL) {
            refuse(c, "memory is used up");
            return;
        }
        c->changes = more, c->change_room = room;
    }
    c->changes[c->change_count++] = (change){(uint32_t)index, c->s[index]};
    c->s[index] = value;
}

void machine_undo(core *c, size_t until) {
    while (c->change_count > until) {
        c->change_count--;
        c->s[c->changes[c->change_count].index] = c->changes[c->change_count].before;
    }
}

uint64_t machine_threads(const core *c) {
    uint64_t set = 0;
    if (c->s[c->status] != 0) return 0;
    for (int t = 1; t <= c->thread_count; t++)
        if (thread_of(c, t)[0] >= 0) set |= 1ULL << (t - 1);
    return set;
}

/* -- choices and notes ---------------------------------------------------------------------- */

int machine_choose(core *c, size_t width) {
    if (width == 1) return 0;
    if (!in_turn(c)) return -1;
    if (c->hunt != NULL) return hunt_choose(c, width);
    int n = c->taken_count;
    if (n >= MOST_CHOICES || width > INT32_MAX) {
        refuse(c, "too many choices in one step");
        return -1;
    }
    int k = n < c->prefix_length ? c->prefix[n] : 0;
    c->taken[n] = k, c->widths[n] = (int)width;
    c->taken_count = n + 1;
    return k;
}

int machine_next_choices(core *c) {
    for (int n = c->taken_count - 1; n >= 0; n--)
        if (c->taken[n] + 1 < c->widths[n]) {
            memcpy(c->prefix, c->taken, (size_t)n * sizeof *c->prefix);
            c->prefix[n] = c->taken[n] + 1;
            c->prefix_length = n + 1;
            return 1;
        }
    return 0;
}

void machine_tell(core *c, int event, int thread, word at, word what) {
    if (!in_turn(c)) return; /* first: what a silent step tries is kept for one that tells */
    if (c->silent) return;
    if (c->peeks) {
        c->first_read = -1;
        return;
    }
    if (c->hunt != NULL) {
        hunt_told(c, event, thread, at, what);
        return;
    }
    const word key[] = {at, thread, what};
    size_t before = c->told.count;
    if (interner_number(&c->told, key, 3) == 0)
        refuse(c, "memory is used up");
    else if (c->told.count > before && c->tell(event, thread, 0))
        c->over = 1;
}

void note(core *c, int thread, word at, word what) {
    machine_tell(c, EVENT_NOTE, thread, at, what);
}

/* -- threads -------------------------------------------------------------------------------- */

int machine_child_met(const core *c, int creator, word n) {
    for (int t = 2; t <= c->thread_count; t++)
        if (c->creators[t] == creator && c->numbers[t] == n) return t;
    return 0;
}

static int new_child(core *c, int creator, word n) {
    if (c->thread_count == MOST_THREADS || n > INT32_MAX) return refuse(c, "more than 63 threads"), 0;
    int t = ++c->thread_count;
    c->creators[t] = creator, c->numbers[t] = (int)n;
    return t;
}

int machine_child(core *c, int creator, word n) {
    int known = machine_child_met(c, creator, n);
    if (known != 0 || !in_turn(c)) return known;
    if (c->common == NULL) return new_child(c, creator, n);
    common_begin_naming(c);
    known = machine_child_met(c, creator, n);
    if (known == 0) known = new_child(c, creator, n);
    common_end_naming(c);
    return known;
}

void machine_begin(core *c, int thread, word pc, word argument) {
    const location *l = &c->p.locations[pc];
    size_t base = (size_t)(thread_of(c, thread) - c->s);
    machine_put(c, base, pc);
    for (int k = 0; k < l->length; k++) {
        int r = l->registers[k];
        word first = r == REG_ARG ? argument : r == REG_SPAWNS || r == REG_ALLOCATIONS ? 0 : UNDEFINED;
        machine_put(c, base + 1 + (size_t)k, first);
    }
}

void machine_end(core *c, word status) {
    if (c->records) record_end(c);
    machine_put(c, c->status, status + 1);
    for (int t = 1; t <= c->thread_count; t++)
        machine_put(c, (size_t)(thread_of(c, t) - c->s), ABSENT);
}

int machine_present(const core *c) {
    int n = 0;
    for (int t = 1; t <= c->thread_count; t++) n += thread_of(c, t)[0] != ABSENT;
    return n;
}

/* -- steps ---------------------------------------------------------------------------------- */

enum outcome machine_step(core *c, int thread) {
    const word *its = thread_of(c, thread);
    const location *l = &c->p.locations[its[0]];
    c->taken_count = 0;
    c->violation = 0;
    c->current = thread;
    c->registers[REG_TID] = thread;
    for (int k = 0; k < l->length; k++) c->registers[l->registers[k]] = its[1 + k];
    size_t before = c->change_count;
    enum outcome found = machine_run(c, thread, l->start);
    if (c->refusal != NULL) found = REFUSED;
    if (found != STEPS && found != VIOLATES) machine_undo(c, before);
    return found;
}

int machine_first_read(core *c, int thread) {
    c->prefix_length = 0;
    c->first_read = -1;
    c->peeks = 1;
    size_t before = c->change_count;
    machine_step(c, thread);
    machine_undo(c, before);
    c->peeks = 0;
    return c->first_read;
}

int machine_new(core *c) {
    const header *h = &c->p.h;
    c->stride = 2 + c->p.frame; /* the last one is what the thread remembers, see awaits.c */
    c->status = (size_t)h->cells;
    c->threads = c->status + 1;
    c->dynamic = c->top = c->threads + (size_t)MOST_THREADS * (size_t)c->stride;
    c->room = c->dynamic + MOST_CELLS;
    c->s = malloc(c->room * sizeof *c->s);
    c->registers = calloc((size_t)h->registers, sizeof *c->registers);
    c->held = calloc((size_t)h->registers, sizeof *c->held);
    c->change_room = 1 << 12;
    c->changes = malloc(c->change_room * sizeof *c->changes);
    c->object_count = (size_t)h->objects;
    c->object_room = c->object_count + 64;
    c->objects = calloc(c->object_room, sizeof *c->objects);
    if (!c->s || !c->registers || !c->held || !c->changes || !c->objects || !interner_new(&c->names) ||
        !interner_new(&c->told) || !interner_new(&c->leftovers))
        return 0;
    memcpy(c->objects, c->p.objects, c->object_count * sizeof *c->objects);
    for (size_t k = 2; k < c->object_count; k++)
        c->used += c->objects[k].slot >= 0 && c->p.layouts[c->objects[k].layout].users;
    for (size_t k = 0; k < c->room; k++) c->s[k] = DEAD;
    memcpy(c->s, c->p.content, (size_t)h->cells * sizeof *c->s);
    c->s[c->status] = 0;
    for (size_t k = c->threads; k < c->dynamic; k++) c->s[k] = ABSENT;
    c->thread_count = 1;
    machine_begin(c, 1, c->p.entries[h->main], UNDEFINED);
    c->change_count = 0;
    return 1;
}

void machine_free(core *c) {
    free(c->s), free(c->registers), free(c->changes), free(c->objects);
    interner_free(&c->names);
    interner_free(&c->told), interner_free(&c->leftovers);
    free(c->allocated), free(c->held), free(c->losses.todo), free(c->losses.marks);
}
