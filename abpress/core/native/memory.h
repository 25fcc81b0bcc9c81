/* Objects, and the cells of the state that are theirs. */
#ifndef ABPRESS_MEMORY_H
#define ABPRESS_MEMORY_H

#include "executions.h"

/* What comes of an access: it ends the execution, or the core is not able to make it here. */
enum place { FOUND, FAULTY, UNABLE };

static inline int is_content(word v) { return v == UNDEFINED || v == DEAD; }

static inline wide exact(word v, word type) {
    if (TYPE_BITS(type) == 64 && !TYPE_SIGNED(type)) return (wide)(uint64_t)v;
    return (wide)v;
}

static inline word wrapped(wide v, int bits, int is_signed) {
    uint64_t low = (uint64_t)v;
    if (bits < 64) {
        low &= (1ULL << bits) - 1;
        if (is_signed && low >> (bits - 1)) low |= ~0ULL << bits;
    }
    return (word)low;
}

/* A value as one of another type of as many bits. */
static inline word converted(word v, word of, word to) {
    if (v == UNDEFINED || TYPE_POINTER(to) || TYPE_BITS(to) > 64) return v;
    return wrapped(exact(v, of), TYPE_BITS(to), TYPE_SIGNED(to) != 0);
}

static inline object *object_of(const core *c, word pointer) {
    uint64_t number = (uint64_t)pointer >> OFFSET_BITS;
    if (number >= c->object_count || c->objects[number].slot < 0) return NULL;
    return &c->objects[number];
}

static inline size_t size_in_cells(const core *c, const object *o) {
    return (size_t)c->p.layouts[o->layout].count * (size_t)o->count;
}

static inline int alive(const core *c, const object *o) {
    return !o->mortal || size_in_cells(c, o) == 0 || c->s[o->slot] != DEAD;
}

/* -- objects.c -- */
/* The cell at an address, and its type; UNABLE where it has another one, or there are parts. */
enum place cell_at(core *c, word pointer, word type, int writes, size_t *index, word *its);
/* The number of an object that is named by these words; 0 if it is refused. */
size_t named_object(core *c, const word *name, size_t count, object made);
/* The same of a local object of a thread. */
size_t local_object_of(core *c, int thread, word local);
/* An object begins to live, and ends. */
void enter_object(core *c, const object *o);
void leave_object(core *c, const object *o);
/* Whether somebody holds a lock in it, or waits for one. */
int object_in_use(core *c, const object *o);
/* Notes the locks that a thread holds that ends. */
void note_held(core *c, int thread, word at);
/* That the program ends while these objects are allocated; `last`: if no other thread is left. */
void note_left(core *c, int thread, int last);

/* -- machine.c -- */
/* Tells, once, that something is to be said of a step which goes on. */
void note(core *c, int thread, word at, word what);

/* -- memory.c -- */
/* Accesses off the fast path: to parts of cells, or to a cell of another type. Reads and writes are
 * recorded if they succeed. */
enum place memory_load(core *c, word pointer, word type, word *value);
enum place memory_store(core *c, word pointer, word type, word value);
/* The bytes that the heap object at `source`, which is to be freed, and the one at `target` both have,
 * at most so many; -1: it cannot be freed, or there is no target. */
word memory_moved(core *c, word target, word source, word most);
enum place memory_copy(core *c, word target, word source, word size);

#endif
