/* Whether others can get in the way of a thread's next step, as `abpress/semantics/foresight.py` and `reach.py`:
 * by the objects that they reach, and by what they may access later. */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "dynamic.h"

uint32_t foresight_look(core *c, int thread) {
    size_t since = c->change_count, rounds = 0;
    enum outcome found = NOTHING;
    footprint_begin(c);
    c->prefix_length = 0, c->records = c->foresight->records = 1;
    do {
        found = machine_step(c, thread);
        machine_undo(c, since);
        if (++rounds > MOST_ALTERNATIVES) refuse(c, "too many alternatives of one step");
    } while (!c->over && found != REFUSED && machine_next_choices(c));
    c->prefix_length = 0, c->records = c->foresight->records = 0;
    return c->over || found == REFUSED ? 0 : footprint_end(c, thread, 1);
}

/* -- reach ---------------------------------------------------------------------------------- */

/* The number of the object that a key belongs to; 0: it is of a thread. */
static size_t object_of_key(const core *c, uint32_t k) {
    const key *its = &footprints_of(c)->keys[k];
    if (its->of_thread) return 0;
    if (its->place >= c->room) return its->place - c->room;
    if (its->place < c->dynamic) return (size_t)c->foresight->owner[its->place];
    return (size_t)(owner_of(c, its->place) - c->objects);
}

/* Every thread reaches it by its name. */
static int is_shared(const core *c, size_t number) {
    return number < (size_t)c->p.h.objects && c->objects[number].slot >= 0 && !c->objects[number].mortal;
}

static int add(core *c, size_t number) {
    foresight *s = c->foresight;
    if (number >= c->object_count || s->reached[number] == s->stamp) return 1;
    s->reached[number] = s->stamp;
    return numbers_add(&s->todo, (int32_t)number);
}

/* The objects that words are addresses of, or near. */
static int add_words(core *c, const word *words, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (words[k] >= (word)PLAIN_LIMIT && !add(c, (size_t)(((uint64_t)words[k] + HALF) >> OFFSET_BITS)))
            return 0;
    return 1;
}

/* What threads but one begin with: static pointers, what they hold, and their local objects. */
static int add_roots(core *c, int thread) {
    for (size_t k = 0; k < c->object_count; k++) {
        const object *o = &c->objects[k];
        if (o->slot < 0 || o->heap) continue;
        if (is_shared(c, k)) {
            const layout *l = &c->p.layouts[o->layout];
            for (int j = 0; j < l->count; j++)
                if (TYPE_POINTER(l->cells[j].type) && !add_words(c, c->s + o->slot + j, 1)) return 0;
        } else if ((k < (size_t)c->p.h.objects ? MAIN : o->name[0]) != thread && !add(c, k)) {
            return 0;
        }
    }
    for (int t = 1; t <= c->thread_count; t++) {
        const word *its = thread_of(c, t);
        if (t == thread || its[0] == ABSENT) continue;
        size_t count = its[0] == DONE ? 1 : (size_t)c->p.locations[its[0]].length;
        if (!add_words(c, its + 1, count)) return 0;
    }
    return 1;
}

static int reach(core *c, int thread) {
    foresight *s = c->foresight;
    size_t room = s->reached_room;
    if (!room_for((void **)&s->reached, &s->reached_room, c->object_count, sizeof *s->reached)) return 0;
    if (s->reached_room > room) memset(s->reached + room, 0, (s->reached_room - room) * sizeof *s->reached);
    s->stamp++;
    s->todo.count = 0;
    if (s->stamp == 0 || !add_roots(c, thread)) return 0;
    while (s->todo.count > 0) {
        size_t number = (size_t)s->todo.its[--s->todo.count];
        const object *o = &c->objects[number];
        if (o->slot >= 0 && !is_shared(c, number) && !add_words(c, c->s + o->slot, size_in_cells(c, o))) return 0;
    }
    return 1;
}

/* -- the next step of a thread -------------------------------------------------------------- */

/* The field of a key, from 1 on; 0: nothing accesses its like. */
static size_t field_of(const core *c, uint32_t k) {
    const key *its = &footprints_of(c)->keys[k];
    size_t number = object_of_key(c, k);
    const object *o = &c->objects[number];
    if (its->of_thread) return 0;
    int is_life = its->place >= c->room;
    if (number < (size_t)c->p.h.objects)
        return (size_t)(is_life ? c->p.futures.of_lives[number] : c->p.futures.of_cells[its->place]);
    size_t count = (size_t)c->p.layouts[o->layout].count;
    const word *fields = o->heap ? c->p.layouts[o->layout].fields : c->p.locals[o->name[1]].fields;
    return (size_t)fields[is_life ? count : (its->place - (size_t)o->slot) % count];
}

/* Whether some other thread that is not done may touch the field later, or write it. */
static int is_contended(const core *c, int thread, size_t field, int writes) {
    const future_accesses *its = &c->p.futures;
    const uint32_t *sets = writes ? its->written : its->touched;
    for (int t = 1; field != 0 && t <= c->thread_count; t++) {
        word pc = thread_of(c, t)[0];
        if (t != thread && pc != ABSENT && pc != DONE &&
            sets[(size_t)pc * its->words + field / 32] >> field % 32 & 1)
            return 1;
    }
    return 0;
}

/* Whether no other thread reaches an object of what is accessed, or (`contended`) of that of it which others
 * may get in the way of. */
static int is_unreachable(core *c, int thread, uint32_t access, int contended) {
    const footprints *f = footprints_of(c);
    const footprint *its = &f->all[access];
    size_t count = 0;
    for (int looked = 0; looked < 2; looked++) {
        if (looked && count > 0 && !reach(c, thread)) return refuse(c, "memory is used up"), 0;
        for (uint32_t k = its->reads; k < its->end; k++) {
            uint32_t key = f->lists[k];
            if (f->keys[key].of_thread) continue;
            if (contended && !is_contended(c, thread, field_of(c, key), k < its->writes)) continue;
            size_t number = object_of_key(c, key);
            if (is_shared(c, number) || (looked && c->foresight->reached[number] == c->foresight->stamp)) return 0;
            count++;
        }
        if (count == 0) return 1;
    }
    return 1;
}

int is_confined(core *c, int thread, uint32_t access) {
    return !footprints_of(c)->all[access].ends && is_unreachable(c, thread, access, 0);
}

int is_uncontended(core *c, int thread, uint32_t access) {
    return !footprints_of(c)->all[access].ends && is_unreachable(c, thread, access, 1);
}

int may_come(const core *c, const word *pcs, int thread, word point) {
    while (thread > 0 && pcs[thread] == ABSENT) thread = c->creators[thread];
    if (thread <= 0 || pcs[thread] == DONE) return 0;
    const uint32_t *points = c->p.futures.points + (size_t)pcs[thread] * c->p.futures.point_words;
    return (int)(points[point / 32] >> point % 32 & 1);
}

int foresight_new(core *c) {
    foresight *s = c->foresight = calloc(1, sizeof *s);
    if (s == NULL || c->p.h.fields == 0) return 0;
    s->owner = calloc(c->dynamic + 1, sizeof *s->owner);
    if (s->owner == NULL || (c->graph == NULL && !footprints_new(c))) return 0;
    for (word k = 0; k < c->p.h.objects; k++) {
        const object *o = &c->objects[k];
        for (size_t j = 0; o->slot >= 0 && j < size_in_cells(c, o); j++) s->owner[(size_t)o->slot + j] = k;
    }
    return 1;
}

void foresight_free(core *c) {
    foresight *s = c->foresight;
    if (s == NULL) return;
    if (c->graph == NULL) footprints_free(c);
    free(s->owner), free(s->reached), free(s->todo.its);
    free(s);
}
