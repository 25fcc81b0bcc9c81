/* Memory that is lost, as `abpress/semantics/tracking.py`: heap objects to which no pointer leads. */
#include <string.h>

#include "machine.h"

enum { LOST, BESIDE, KEPT };

static int add(core *c, word v) {
    losses *l = &c->losses;
    if (v < (word)PLAIN_LIMIT) return 1; /* or no value */
    if (!room_for((void **)&l->todo, &l->room, l->count + 1, sizeof *l->todo)) return 0;
    l->todo[l->count++] = v;
    return 1;
}

/* Whether somebody has to keep track of an object. */
static int tracked(const core *c, const object *o) { return o->heap && !o->automatic && alive(c, o); }

static int add_pointers(core *c, const object *o) {
    const layout *l = &c->p.layouts[o->layout];
    for (size_t k = 0, n = size_in_cells(c, o); k < n; k++)
        if (TYPE_POINTER(l->cells[k % (size_t)l->count].type) && !add(c, c->s[(size_t)o->slot + k])) return 0;
    return 1;
}

static int add_frame(core *c, int thread) {
    const word *its = thread_of(c, thread);
    if (its[0] == ABSENT) return 1;
    if (its[0] == DONE) return add(c, its[1]);
    const location *l = &c->p.locations[its[0]];
    for (int k = 0; k < l->length; k++)
        if (l->pointers[k] && !add(c, its[1 + k])) return 0;
    return 1;
}

static int runs(const core *c, word thread) {
    word pc = thread_of(c, (int)thread)[0];
    return pc != DONE && pc != ABSENT;
}

/* What holds pointers in any case: static and local objects, and frames, but that of a thread in the
 * middle of a step (0: of none), which holds those that were told. */
static int add_roots(core *c, int thread) {
    for (size_t k = 0; k < c->held_count; k++)
        if (!add(c, c->held[k])) return 0;
    for (size_t k = 2; k < c->object_count; k++) {
        const object *o = &c->objects[k];
        if (o->slot < 0 || (o->heap && !o->automatic) || !alive(c, o)) continue;
        if (o->automatic && !runs(c, o->name[0])) continue;
        if (!add_pointers(c, o)) return 0;
    }
    for (int t = 1; t <= c->thread_count; t++)
        if (t != thread && !add_frame(c, t)) return 0;
    return 1;
}

/* Marks the objects that pointers lead to; returns how many, -1 without memory. */
static int reach(core *c) {
    losses *l = &c->losses;
    int count = 0;
    while (l->count > 0) {
        word v = l->todo[--l->count];
        uint64_t number = ((uint64_t)v + HALF) >> OFFSET_BITS;
        if (number >= c->object_count || number < (uint64_t)c->p.h.objects) continue;
        const object *o = &c->objects[number];
        if (l->marks[number] == KEPT || !tracked(c, o)) continue;
        word offset = v - (word)(number << OFFSET_BITS);
        if (offset < 0 || offset > c->p.layouts[o->layout].size * o->count) {
            l->marks[number] = BESIDE;
            continue;
        }
        l->marks[number] = KEPT;
        count++;
        if (!add_pointers(c, o)) return -1;
    }
    return count;
}

/* The number of a loss at the place: of these objects with what they hold, on which depends how it is
 * told. */
static int number_of(core *c, word at) {
    losses *l = &c->losses;
    l->count = 0;
    if (!room_for((void **)&l->todo, &l->room, 1, sizeof *l->todo)) return 0;
    l->todo[l->count++] = -1 - at;
    for (size_t k = (size_t)c->p.h.objects; k < c->object_count; k++) {
        const object *o = &c->objects[k];
        if (l->marks[k] == KEPT || !tracked(c, o)) continue;
        if (!room_for((void **)&l->todo, &l->room, l->count + 1, sizeof *l->todo)) return 0;
        l->todo[l->count++] = (word)k;
        if (!add_pointers(c, o)) return 0;
    }
    return (int)(interner_number(&c->leftovers, l->todo, l->count) % LEFTOVERS);
}

int find_lost(core *c, int thread, word at, int is_over) {
    losses *l = &c->losses;
    int all = 0, found, more = 0;
    if (c->records) record_objects(c);
    for (size_t k = (size_t)c->p.h.objects; k < c->object_count; k++)
        all += tracked(c, &c->objects[k]);
    if (all == 0) return 0;
    if (c->records) record_sight(c, NULL);
    l->count = 0;
    if (!room_for((void **)&l->marks, &l->mark_room, c->object_count, 1)) return refuse(c, "memory is used up"), 0;
    memset(l->marks, LOST, c->object_count);
    found = add_roots(c, is_over ? 0 : thread) ? reach(c) : -1;
    if (found < 0) return refuse(c, "memory is used up"), 0;
    if (found == all) return 0;
    for (size_t k = (size_t)c->p.h.objects; k < c->object_count && more == 0; k++)
        if (l->marks[k] == BESIDE && !add(c, (word)(k << OFFSET_BITS))) more = -1;
    if (more == 0) more = reach(c);
    if (more < 0) return refuse(c, "memory is used up"), 0;
    if (found + more == all) return note(c, thread, at, 0), 0;
    if (!in_turn(c)) return 0;
    int number = number_of(c, at);
    if (number == 0) return refuse(c, "memory is used up"), 0;
    c->violation = LEFTOVERS + number;
    return 1;
}
