/* Happens-before of an execution that has ended, in which writes count only if they are observed, as
 * `abpress/relations/observed.py`; and its races, as `abpress/reductions/stateless/observed_races.py`. */
#include <stdlib.h>
#include <string.h>

#include "executions.h"

/* -- lists of events ------------------------------------------------------------------------ */

static void add(core *c, uint32_t *list, size_t e, uint32_t key) {
    observed *o = &c->executions->observed;
    if (!room_for((void **)&o->links, &o->link_room, o->link_count + 1, sizeof *o->links)) {
        refuse(c, "memory is used up");
        return;
    }
    o->links[o->link_count] = (linked){.event = (int32_t)e, .key = key, .next = *list};
    *list = (uint32_t)o->link_count++;
}

/* -- what happens before -------------------------------------------------------------------- */

/* The cell with the key, of which nothing is known at first. */
static observed_cell *cell_of(observed *o, uint32_t key) {
    observed_cell *its = &o->cells[key];
    if (its->stamp != o->stamp) *its = (observed_cell){.stamp = o->stamp, .writer = NOBODY};
    return its;
}

/* Event n reads a cell: the last write becomes one that is observed, and the others come before it. */
static void reads(core *c, size_t n, uint32_t key) {
    observed *o = &c->executions->observed;
    observed_cell *its = cell_of(o, key);
    if (its->blind != 0) {
        its->writer = o->links[its->blind].event;
        for (uint32_t k = o->links[its->blind].next; k != 0; k = o->links[k].next)
            add(c, &o->events[its->writer].before, (size_t)o->links[k].event, key);
        its->blind = its->readers = 0;
    }
    if (its->writer != NOBODY) {
        add(c, &o->events[n].before, (size_t)its->writer, key);
        add(c, &o->events[its->writer].readers, n, key);
    }
    add(c, &its->readers, n, key);
}

static void writes(core *c, size_t n, uint32_t key) {
    observed *o = &c->executions->observed;
    observed_cell *its = cell_of(o, key);
    for (uint32_t k = its->readers; k != 0; k = o->links[k].next)
        if (o->links[k].event != (int32_t)n) add(c, &o->events[n].before, (size_t)o->links[k].event, key);
    add(c, &its->blind, n, key);
}

/* What event n directly depends on: `fixed` is in any order. */
static void depends(core *c, size_t n, int *ending) {
    executions *x = c->executions;
    footprints *f = &x->footprints;
    observed *o = &x->observed;
    const event *its = &x->events[n];
    const footprint *access = &f->all[its->access];
    int previous = its->previous;
    o->events[n] = (observed_event){0, 0, 0};
    if (previous == NOBODY) previous = cell_of(o, life_key(c, its->thread))->writer;
    if (previous != NOBODY) add(c, &o->events[n].fixed, (size_t)previous, 0);
    if (*ending != NOBODY) add(c, &o->events[n].before, (size_t)*ending, 0);
    for (uint32_t k = access->reads; k < access->writes; k++) {
        uint32_t key = f->lists[k];
        int life = f->keys[key].of_thread ? cell_of(o, key)->writer : NOBODY;
        if (!f->keys[key].of_thread) reads(c, n, key);
        else if (life != NOBODY) add(c, &o->events[n].fixed, (size_t)life, key);
    }
    for (uint32_t k = access->writes; k < access->end; k++) {
        uint32_t key = f->lists[k];
        if (f->keys[key].of_thread) cell_of(o, key)->writer = (int32_t)n;
        else writes(c, n, key);
    }
    if (!access->ends) return;
    for (size_t e = 0; e < n; e++) add(c, &o->events[n].before, e, 0);
    *ending = (int)n;
}

/* The events of a list, and what happens before them, are in the past. */
static void join_all(const core *c, cut *past, uint32_t list) {
    const executions *x = c->executions;
    for (uint32_t k = list; k != 0; k = x->observed.links[k].next)
        join_past(c, past, &x->pasts[x->observed.links[k].event]);
}

/* Makes the pasts those with observers. */
static void relate_all(core *c) {
    executions *x = c->executions;
    observed *o = &x->observed;
    size_t before = o->cell_room;
    int ending = NOBODY;
    if (!room_for((void **)&o->events, &o->event_room, x->event_count + 1, sizeof *o->events) ||
        !room_for((void **)&o->cells, &o->cell_room, x->footprints.key_count + 1, sizeof *o->cells) ||
        !room_for((void **)&o->earlier, &o->earlier_room, x->event_count + 1, sizeof *o->earlier) ||
        !room_for((void **)&x->then, &x->then_room, x->event_count + 2, sizeof *x->then)) {
        refuse(c, "memory is used up");
        return;
    }
    if (o->cell_room > before) memset(o->cells + before, 0, (o->cell_room - before) * sizeof *o->cells);
    o->stamp++;
    o->link_count = 1; /* 0 is none */
    for (size_t n = 0; n < x->event_count && !c->over; n++) depends(c, n, &ending);
    for (size_t n = 0; n < x->event_count && !c->over; n++) {
        cut *past = &x->pasts[n];
        memset(past, 0, sizeof *past);
        join_all(c, past, o->events[n].fixed);
        join_all(c, past, o->events[n].before);
        past->of[x->events[n].thread] = x->events[n].number + 1;
    }
}

/* -- races ---------------------------------------------------------------------------------- */

static int descending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

static int writes_key(const executions *x, size_t e, uint32_t key) {
    const footprint *its = &x->footprints.all[x->events[e].access];
    for (uint32_t k = its->writes; k < its->end; k++)
        if (x->footprints.lists[k] == key) return 1;
    return 0;
}

/* Whether an event reads what a later one has written to a cell of both, after another reader of it. */
static int reads_later(const executions *x, size_t e, size_t second, int32_t reader) {
    const observed *o = &x->observed;
    for (uint32_t k = o->events[second].readers; k != 0; k = o->links[k].next)
        if (o->links[k].event != reader && writes_key(x, e, o->links[k].key) &&
            is_in_past(x, &x->pasts[reader], (size_t)o->links[k].event))
            return 1;
    return 0;
}

/* The observers of a race of e with a later event: the events that happen after one of them are
 * beyond `observing`. Returns the last one; NOBODY if there is none. */
static int32_t observers_of(const core *c, size_t e, size_t second, cut *observing) {
    const executions *x = c->executions;
    const observed *o = &x->observed;
    int32_t last = NOBODY;
    memset(observing, 0xff, sizeof *observing);
    if (are_ordered(&x->footprints, x->events[e].access, x->events[second].access)) return last;
    for (uint32_t k = o->events[second].readers; k != 0; k = o->links[k].next) {
        int32_t reader = o->links[k].event;
        cut future;
        if (!writes_key(x, e, o->links[k].key) || reads_later(x, e, second, reader)) continue;
        future_of(c, (size_t)reader, &future);
        for (int t = 1; t <= c->thread_count; t++)
            if (future.of[t] < observing->of[t]) observing->of[t] = future.of[t];
        if (reader > last) last = reader;
    }
    return last;
}

/* Hands on what reverses a race of e with a later event. */
static void reverse_race(core *c, int32_t e, size_t second) {
    executions *x = c->executions;
    cut observing, future;
    int32_t observer = observers_of(c, (size_t)e, second, &observing);
    x->then_count = 0;
    if (observer != NOBODY) {
        future_of(c, (size_t)e, &future);
        x->then[x->then_count++] = (uint32_t)second, x->then[x->then_count++] = (uint32_t)e;
        for (size_t k = (size_t)e + 1; k < x->event_count; k++)
            if (k != second && is_removed(x, &future, k) && !is_removed(x, &observing, k))
                x->then[x->then_count++] = (uint32_t)k;
    }
    size_t last = observer != NOBODY ? (size_t)observer : second;
    reverse_races(c, x->events[last].thread, &e, NULL, 1, 0);
    x->then_count = 0;
}

static void reverse_races_with(core *c, size_t second) {
    executions *x = c->executions;
    observed *o = &x->observed;
    size_t count = 0;
    cut past = {{0}};
    join_all(c, &past, o->events[second].fixed);
    for (uint32_t k = o->events[second].before; k != 0 && !c->over; k = o->links[k].next) {
        if (is_in_past(x, &past, (size_t)o->links[k].event)) continue;
        if (!room_for((void **)&o->earlier, &o->earlier_room, count + 1, sizeof *o->earlier))
            refuse(c, "memory is used up");
        else o->earlier[count++] = o->links[k].event;
    }
    if (count > 1) qsort(o->earlier, count, sizeof *o->earlier, descending);
    for (size_t k = 0; k < count && !c->over; k++) {
        if (is_in_past(x, &past, (size_t)o->earlier[k])) continue;
        join_past(c, &past, &x->pasts[o->earlier[k]]);
        if (remembered_wants(x, (size_t)o->earlier[k])) reverse_race(c, o->earlier[k], second);
    }
}

/* Reverses the races of what threads are left with at the node: with the end of the program, or
 * because they wait. */
static void reverse_left(core *c, size_t k, int ended) {
    executions *x = c->executions;
    int32_t last = (int32_t)x->event_count - 1;
    uint64_t threads = x->nodes[k].threads;
    if (ended) threads &= ~BIT(x->events[last].thread);
    for (uint64_t rest = threads; rest != 0; rest &= rest - 1) can_move(c, k, __builtin_ctzll(rest) + 1);
    for (uint64_t rest = threads; rest != 0 && !c->over; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        cut removed;
        memset(&removed, 0xff, sizeof removed);
        if (ended) removed.of[x->events[last].thread] = x->events[last].number;
        if (!can_move(c, k, t)) {
            size_t count = races_in_cut(c, t, x->nodes[k].next[t], &removed);
            reverse_races(c, t, x->found, NULL, count, 0);
        } else if (ended) {
            reverse_races(c, t, &last, NULL, 1, 0);
        }
    }
}

void reverse_observed(core *c) {
    executions *x = c->executions;
    size_t n = x->event_count;
    int ended = n > 0 && x->footprints.all[x->events[n - 1].access].ends;
    relate_all(c);
    for (size_t second = 0; second < n && !c->over; second++) reverse_races_with(c, second);
    if (!c->over && (ended || x->depth > n)) reverse_left(c, n - (size_t)ended, ended);
}

/* -- all of it ------------------------------------------------------------------------------ */

void observed_free(executions *x) {
    observed *o = &x->observed;
    free(o->links), free(o->events), free(o->cells), free(o->earlier), free(o->sleepers), free(o->sets);
    free(x->then);
}
