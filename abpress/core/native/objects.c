/* Objects: which there are, which live, and which of their cells an address is of. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "memory.h"

enum place cell_at(core *c, word pointer, word type, int writes, size_t *index, word *its) {
    const object *o = object_of(c, pointer);
    if (o == NULL) return FAULTY;
    const layout *l = &c->p.layouts[o->layout];
    uint64_t offset = (uint64_t)pointer & OFFSET_MASK;
    if (offset + (uint64_t)TYPE_BYTES(type) > (uint64_t)l->size * (uint64_t)o->count) return FAULTY;
    if (writes && o->readonly) return FAULTY;
    word inside = (word)(offset % (uint64_t)l->size);
    int low = 0, high = l->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (l->cells[middle].offset < inside) low = middle + 1;
        else high = middle;
    }
    if (low == l->count || l->cells[low].offset != inside) return UNABLE;
    *its = l->cells[low].type;
    if (TYPE_BITS(*its) != TYPE_BITS(type) || TYPE_POINTER(*its) != TYPE_POINTER(type)) return UNABLE;
    *index = (size_t)o->slot + (size_t)(offset / (uint64_t)l->size) * (size_t)l->count + (size_t)low;
    return c->s[*index] == DEAD ? FAULTY : FOUND;
}

static size_t name_object(core *c, const word *name, size_t count, object made) {
    size_t before = c->names.count, next = (size_t)c->p.h.objects + before;
    size_t cells = size_in_cells(c, &made);
    int users = c->p.layouts[made.layout].users;
    int full = c->top + cells > c->room || next >= MOST_OBJECTS, locks = users && c->used >= 1000;
    if ((full || locks) && !in_turn(c)) return 0; /* a name without an object is for a search that ends */
    if (next >= c->object_room) {
        object *more = realloc(c->objects, 2 * c->object_room * sizeof *more);
        if (more == NULL) return refuse(c, "memory is used up"), 0;
        c->objects = more, c->object_room *= 2;
    }
    uint32_t k = interner_number(&c->names, name, count);
    if (k == 0) return refuse(c, "memory is used up"), 0;
    size_t number = (size_t)c->p.h.objects + k - 1;
    if (c->names.count == before) return number;
    if (full) return refuse(c, "too many objects or cells"), 0;
    if (locks) return refuse(c, "more than 1000 objects with locks"), 0;
    made.slot = (word)c->top;
    memcpy(made.name, name, count * sizeof *name);
    made.name_length = (int)count;
    c->objects[number] = made;
    c->object_count = number + 1;
    c->top += cells;
    c->used += users != 0;
    return number;
}

size_t named_object(core *c, const word *name, size_t count, object made) {
    if (c->common == NULL) return name_object(c, name, count, made);
    uint32_t known = interner_find(&c->names, name, count);
    if (known != 0) return (size_t)c->p.h.objects + known - 1;
    common_begin_naming(c);
    size_t number = name_object(c, name, count, made);
    common_end_naming(c);
    return number;
}

size_t local_object_of(core *c, int thread, word local) {
    const local_object *l = &c->p.locals[local];
    const word name[] = {thread, local};
    object made = {.layout = l->layout, .mortal = 1, .count = 1, .initial = l->initial};
    return named_object(c, name, 2, made);
}

void enter_object(core *c, const object *o) {
    if (c->records) record_lifetime(c, o);
    int per = c->p.layouts[o->layout].count;
    for (size_t k = 0, n = size_in_cells(c, o); k < n; k++)
        machine_put(c, (size_t)o->slot + k, o->initial != NULL ? o->initial[k % (size_t)per] : o->fill);
}

void leave_object(core *c, const object *o) {
    if (c->records) record_lifetime(c, o);
    for (size_t k = 0, n = size_in_cells(c, o); k < n; k++) machine_put(c, (size_t)o->slot + k, DEAD);
}

int object_in_use(core *c, const object *o) {
    const layout *l = &c->p.layouts[o->layout];
    if (c->records) record_sight(c, o);
    if (!l->users || !alive(c, o)) return 0;
    for (size_t k = 0, n = size_in_cells(c, o); k < n; k++) {
        const cell *it = &l->cells[k % (size_t)l->count];
        word v = c->s[(size_t)o->slot + k];
        if (!it->users || v == UNDEFINED || v == 0) continue;
        int bits = TYPE_BITS(it->type);
        word mark = bits == 256 ? 1 : TYPE_SIGNED(it->type) ? (word)((1ULL << (bits - 1)) - 1)
                                : bits == 64 ? -1 : (word)((1ULL << bits) - 1);
        if (v != mark) return 1;
    }
    return 0;
}

void note_held(core *c, int thread, word at) {
    for (size_t k = 2; k < c->object_count; k++) {
        const object *o = &c->objects[k];
        if (o->slot < 0 || !c->p.layouts[o->layout].users) continue;
        if (c->records) record_sight(c, o);
        if (!alive(c, o)) continue;
        const layout *l = &c->p.layouts[o->layout];
        for (size_t j = 0, n = size_in_cells(c, o); j < n; j++) {
            const cell *it = &l->cells[j % (size_t)l->count];
            word v = c->s[(size_t)o->slot + j];
            if (it->users != 1 || v == UNDEFINED) continue;
            if (TYPE_BITS(it->type) == 256 ? (int)(v >> thread & 1) : v == thread)
                note(c, thread, at, (word)((size_t)o->slot + j));
        }
    }
}

void note_left(core *c, int thread, int last) {
    size_t count = 1;
    for (int t = 1; last && t <= c->thread_count; t++) {
        word pc = thread_of(c, t)[0];
        if (t != thread && pc != ABSENT && pc != DONE) return;
    }
    for (size_t k = (size_t)c->p.h.objects; k < c->object_count; k++) {
        const object *o = &c->objects[k];
        if (!o->heap || o->automatic || !alive(c, o)) continue;
        if (!room_for((void **)&c->allocated, &c->allocated_room, count + 1, sizeof(word))) {
            refuse(c, "memory is used up");
            return;
        }
        c->allocated[0] = last;
        c->allocated[count++] = (word)k;
    }
    if (count == 1) return;
    if (!in_turn(c)) return;
    uint32_t number = interner_number(&c->leftovers, c->allocated, count);
    if (number == 0) refuse(c, "memory is used up");
    else c->violation = LEFTOVERS + (int)(number % LEFTOVERS);
}
