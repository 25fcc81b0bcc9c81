/* Searches that have their states in common: NOTE(common-states). Whoever adds a state explores it; who is
 * idle takes over the lower end of somebody's stack. */
#define _DEFAULT_SOURCE
#include "common.h"

#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <sched.h>
#endif

static void give_way(void) {
#ifndef _WIN32
    sched_yield();
#endif
}

void common_lock(int *its) {
    for (int spins = 1; __atomic_exchange_n(its, 1, __ATOMIC_ACQUIRE); spins++)
        if (spins % 64 == 0) give_way();
}

void common_unlock(int *its) { __atomic_store_n(its, 0, __ATOMIC_RELEASE); }

void common_retire(common *its, void *memory) {
    if (its->retired_count == its->retired_room) {
        size_t room = 2 * its->retired_room + 16;
        void **more = realloc(its->retired, room * sizeof *more);
        if (more == NULL) return; /* it is never freed */
        its->retired = more, its->retired_room = room;
    }
    its->retired[its->retired_count++] = memory;
}

/* -- names ---------------------------------------------------------------------------------- */

/* The numbers of the creations of a thread, from the first one on; returns how many. */
static int name_of(const core *c, int thread, int *name) {
    int count = 0;
    for (int t = thread; t > 1; t = c->creators[t]) name[count++] = c->numbers[t];
    return count;
}

static int comes_before(const core *c, int one, int other) {
    int a[MOST_THREADS], b[MOST_THREADS], m = name_of(c, one, a), n = name_of(c, other, b);
    while (m > 0 && n > 0 && a[m - 1] == b[n - 1]) m--, n--;
    return m == 0 || (n > 0 && a[m - 1] < b[n - 1]);
}

/* Threads in the order of their names, which does not depend on who was met first. */
static void order_threads(core *c) {
    for (int t = 1; t <= c->thread_count; t++) {
        int k = t - 1;
        for (; k > 0 && comes_before(c, t, c->by_name[k - 1]); k--) c->by_name[k] = c->by_name[k - 1];
        c->by_name[k] = t;
    }
}

static void take_in_names(core *c) {
    const common *its = c->common;
    size_t first = (size_t)c->p.h.objects;
    for (size_t k = c->object_count - first; k < its->object_count; k++) {
        const object *o = &its->objects[k];
        if (c->object_count == c->object_room) {
            object *more = realloc(c->objects, 2 * c->object_room * sizeof *more);
            if (more == NULL) {
                refuse(c, "memory is used up");
                return;
            }
            c->objects = more, c->object_room *= 2;
        }
        size_t cells = (size_t)c->p.layouts[o->layout].count * (size_t)o->count;
        if (interner_number(&c->names, o->name, (size_t)o->name_length) != k + 1) {
            refuse(c, "memory is used up");
            return;
        }
        object *mine = &c->objects[c->object_count++];
        *mine = *o;
        if (o->initial != NULL) mine->initial = c->p.locals[o->name[1]].initial;
        c->top += cells;
        c->used += c->p.layouts[o->layout].users != 0;
    }
    if (c->thread_count == its->thread_count) return;
    memcpy(c->creators, its->creators, sizeof c->creators);
    memcpy(c->numbers, its->numbers, sizeof c->numbers);
    c->thread_count = its->thread_count;
    order_threads(c);
}

void common_begin_naming(core *c) {
    common_lock(&c->common->lock);
    take_in_names(c);
}

void common_end_naming(core *c) {
    common *its = c->common;
    size_t first = (size_t)c->p.h.objects;
    for (; its->object_count + first < c->object_count; its->object_count++) {
        if (its->object_count == its->object_room) {
            size_t room = 2 * its->object_room + 64;
            object *more = realloc(its->objects, room * sizeof *more);
            if (more == NULL) {
                refuse(c, "memory is used up");
                break;
            }
            its->objects = more, its->object_room = room;
        }
        its->objects[its->object_count] = c->objects[first + its->object_count];
    }
    if (its->thread_count != c->thread_count) {
        memcpy(its->creators, c->creators, sizeof c->creators);
        memcpy(its->numbers, c->numbers, sizeof c->numbers);
        its->thread_count = c->thread_count;
        order_threads(c);
    }
    common_unlock(&its->lock);
}

/* -- states --------------------------------------------------------------------------------- */

static shard *shard_of(const core *c) {
    uint64_t sum = 0;
    for (size_t k = 0; k < c->states.width; k++) sum += c->row[k] * (2 * k + 1);
    return &c->common->shards[mixed(sum) % SHARDS];
}

/* The shard of `c->row`, which nobody else uses, with as many columns as the row has. */
static shard *locked(const core *c) {
    shard *its = shard_of(c);
    common_lock(&its->lock);
    if (its->states.width < c->states.width) table_widen(&its->states, c->states.width);
    return its;
}

enum added common_add(core *c) {
    shard *its = locked(c);
    enum added found = table_add(&its->states, c->row);
    common_unlock(&its->lock);
    c->added += found == ADDED;
    return found;
}

int common_has(core *c) {
    shard *its = locked(c);
    int found = table_find(&its->states, c->row) != NEVER;
    common_unlock(&its->lock);
    return found;
}

void common_ask(core *c, size_t k) {
    size_t most = c->chunks + 1 + MOST_THREADS;
    shard *its = c->asked_shards[k] = locked(c);
    table_begin(&its->states);
    table_ask(&its->states, c->row);
    common_unlock(&its->lock);
    memcpy(c->asked_rows + k * most, c->row, most * sizeof *c->row);
}

int common_answer(core *c, size_t k) {
    shard *its = c->asked_shards[k];
    common_lock(&its->lock);
    int found = table_find(&its->states, c->asked_rows + k * (c->chunks + 1 + MOST_THREADS)) != NEVER;
    common_unlock(&its->lock);
    return found;
}

/* -- handing over --------------------------------------------------------------------------- */

static void *copied(const void *from, size_t bytes) {
    void *its = malloc(bytes + 1);
    if (its != NULL && bytes > 0) memcpy(its, from, bytes);
    return its;
}

static void package_free(package *p) {
    free(p->s), free(p->changes), free(p->stack), free(p->rows), free(p->alternatives);
    free(p);
}

static int has_more(const frame *f) { return f->left > 0 || (f->threads & ~f->still) != 0; }

/* The lower end of the stack, with half of the frames that have more to explore; NULL if there are none, or
 * there is no memory. */
static package *lower_end(core *c) {
    size_t count = 0, last = 0, taken = 0;
    for (size_t k = 0; k + 1 < c->depth; k++) count += has_more(&c->stack[k]) != 0;
    if (count == 0) return NULL;
    for (; 2 * taken < count; last++) taken += has_more(&c->stack[last]) != 0;
    package *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    const frame *next = &c->stack[last];
    p->depth = last, p->width = c->states.width, p->columns = c->columns, p->top = c->top;
    p->change_count = c->stack[last - 1].changes, p->alternative_count = next->alternatives;
    p->s = copied(c->s, c->top * sizeof *c->s);
    p->changes = copied(c->changes, p->change_count * sizeof *c->changes);
    p->stack = copied(c->stack, last * sizeof *c->stack);
    p->rows = copied(c->rows, last * p->width * sizeof *c->rows);
    p->alternatives = copied(c->alternatives, p->alternative_count * sizeof *c->alternatives);
    if (!p->s || !p->changes || !p->stack || !p->rows || !p->alternatives) {
        package_free(p);
        return NULL;
    }
    for (size_t k = c->change_count; k-- > p->change_count;) p->s[c->changes[k].index] = c->changes[k].before;
    for (size_t k = 0; k < last; k++) c->stack[k].threads = 0, c->stack[k].left = 0;
    return p;
}

int common_pause(core *c, uint64_t most_states) {
    common *its = c->common;
    uint64_t new = c->added - c->told_added;
    c->told_added = c->added;
    uint64_t all = __atomic_add_fetch(&its->added, new, __ATOMIC_RELAXED);
    if (__atomic_load_n(&its->idle, __ATOMIC_RELAXED) > __atomic_load_n(&its->offered, __ATOMIC_RELAXED)) {
        package *p = lower_end(c);
        if (p != NULL) {
            common_lock(&its->lock);
            p->next = its->packages, its->packages = p;
            __atomic_store_n(&its->offered, its->offered + 1, __ATOMIC_RELAXED);
            common_unlock(&its->lock);
        }
    }
    return all >= most_states || __atomic_load_n(&its->stopped, __ATOMIC_RELAXED);
}

/* Goes on with what somebody has handed over, whose objects and threads are known. */
static int take_over(core *c, package *p) {
    size_t columns = p->columns;
    if (!stored_room(c, p->depth, columns)) return 0;
    if (p->change_count > c->change_room) {
        change *more = realloc(c->changes, 2 * p->change_count * sizeof *more);
        if (more == NULL) return 0;
        c->changes = more, c->change_room = 2 * p->change_count;
    }
    if (p->depth > c->stack_room) {
        frame *more = realloc(c->stack, 2 * p->depth * sizeof *more);
        if (more == NULL) return 0;
        c->stack = more, c->stack_room = 2 * p->depth;
    }
    if (p->alternative_count > c->alternative_room) {
        int *more = realloc(c->alternatives, 2 * p->alternative_count * sizeof *more);
        if (more == NULL) return 0;
        c->alternatives = more, c->alternative_room = 2 * p->alternative_count;
    }
    memcpy(c->s, p->s, p->top * sizeof *c->s);
    for (size_t k = p->top; k < c->top; k++) c->s[k] = DEAD;
    memcpy(c->changes, p->changes, p->change_count * sizeof *c->changes);
    memcpy(c->stack, p->stack, p->depth * sizeof *c->stack);
    memcpy(c->alternatives, p->alternatives, p->alternative_count * sizeof *c->alternatives);
    size_t width = c->states.width;
    for (size_t k = 0; k < p->depth; k++) {
        memcpy(c->rows + k * width, p->rows + k * p->width, p->width * sizeof *c->rows);
        memset(c->rows + k * width + p->width, 0, (width - p->width) * sizeof *c->rows);
    }
    memset(c->row, 0, (c->chunks + 1 + MOST_THREADS) * sizeof *c->row);
    c->depth = p->depth, c->change_count = p->change_count, c->alternative_count = p->alternative_count;
    return 1;
}

/* -- from outside --------------------------------------------------------------------------- */

enum taken { NOTHING_YET, TAKEN, ALL_IS_DONE };

common *common_new(int searches) {
    common *its = calloc(1, sizeof *its);
    if (its == NULL) return NULL;
    its->searches = searches, its->thread_count = 1;
    if (interner_new(&its->memory) && interner_new(&its->heap) && interner_new(&its->frames)) {
        its->memory.common = its->heap.common = its->frames.common = its;
        return its;
    }
    interner_free(&its->memory), interner_free(&its->heap), interner_free(&its->frames);
    free(its);
    return NULL;
}

/* After all searches. */
void common_free(common *its) {
    if (its == NULL) return;
    interner_free(&its->memory), interner_free(&its->heap), interner_free(&its->frames);
    for (package *p = its->packages, *next; p != NULL; p = next) next = p->next, package_free(p);
    for (size_t k = 0; k < its->retired_count; k++) free(its->retired[k]);
    for (size_t k = 0; k < SHARDS; k++) table_free(&its->shards[k].states);
    free(its->retired), free(its->objects);
    free(its);
}

/* A search has states in common with others of the same program and the same static reduction, before all
 * begin; one `begins`. Returns whether it does. */
int core_join(core *c, common *its, int begins) {
    if (c->algorithm > HEAP_REACH_FIELDS || c->common != NULL || c->symmetric != NULL || c->depth > 0) return 0;
    size_t most = c->chunks + 1 + MOST_THREADS;
    for (size_t k = 0; begins && k < SHARDS; k++)
        if (!table_new(&its->shards[k].states, c->states.width, most)) return 0;
    if (c->algorithm != STATES && !returning_new(c)) return 0;
    interner_follow(&c->memory, &its->memory);
    interner_follow(&c->heap, &its->heap);
    interner_follow(&c->frames, &its->frames);
    c->common = its, c->begins = begins;
    c->asked_rows = calloc(MOST_THREADS * most, sizeof *c->asked_rows);
    if (c->asked_rows == NULL) return 0;
    order_threads(c);
    return 1;
}

/* Takes over what another search has handed over, if it has nothing left. */
int core_take(core *c) {
    common *its = c->common;
    if (its == NULL || c->over) return ALL_IS_DONE;
    common_lock(&its->lock);
    if (!c->waits) __atomic_store_n(&its->idle, its->idle + 1, __ATOMIC_RELAXED);
    c->waits = 1;
    package *p = its->packages;
    int all = p == NULL && its->idle == its->searches;
    if (p != NULL) {
        its->packages = p->next;
        __atomic_store_n(&its->offered, its->offered - 1, __ATOMIC_RELAXED);
        __atomic_store_n(&its->idle, its->idle - 1, __ATOMIC_RELAXED);
        c->waits = 0;
        take_in_names(c);
        interner_catch_up(&c->memory), interner_catch_up(&c->heap), interner_catch_up(&c->frames);
    }
    common_unlock(&its->lock);
    if (p == NULL) return all ? ALL_IS_DONE : NOTHING_YET;
    if (!c->over && !take_over(c, p)) refuse(c, "memory is used up");
    package_free(p);
    return TAKEN;
}

/* All searches end as soon as they can. */
void common_stop(common *its) { __atomic_store_n(&its->stopped, 1, __ATOMIC_RELAXED); }
