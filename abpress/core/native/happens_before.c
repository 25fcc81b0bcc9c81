/* Happens-before of the current execution, and its races, as `abpress/relations/happens_before.py`.
 * A past is told by how many events of each thread are in it. */
#include <stdlib.h>
#include <string.h>

#include "dynamic.h"

static executions *path_of(const core *c) { return c->graph != NULL ? &c->graph->path : c->executions; }

static int more_events(executions *x) {
    size_t room = 2 * x->event_room;
    event *events = realloc(x->events, room * sizeof *events);
    if (events != NULL) x->events = events;
    cut *pasts = realloc(x->pasts, room * sizeof *pasts);
    if (pasts != NULL) {
        memset(pasts + x->event_room, 0, x->event_room * sizeof *pasts);
        x->pasts = pasts;
    }
    int32_t *found = realloc(x->found, room * sizeof *found);
    if (found != NULL) x->found = found;
    item *v = realloc(x->v, room * sizeof *v);
    if (v != NULL) x->v = v;
    uint32_t *stays = realloc(x->stays, room / 32 * sizeof *stays);
    if (stays != NULL) x->stays = stays;
    if (!events || !pasts || !found || !v || !stays || room > INT32_MAX) return 0;
    x->event_room = room;
    return 1;
}

/* -- races ---------------------------------------------------------------------------------- */

/* Keeps an event in `found`, where they are in descending order, unless it is there. */
static size_t keep(executions *x, size_t count, int32_t e) {
    size_t k = count;
    if (e == NOBODY) return count;
    while (k > 0 && x->found[k - 1] < e) k--;
    if (k > 0 && x->found[k - 1] == e) return count;
    memmove(x->found + k + 1, x->found + k, (count - k) * sizeof *x->found);
    x->found[k] = e;
    return count + 1;
}

/* Whether the step reads what the other one writes: if not, it is the same without that,
 * NOTE(races-met); unless memory that is lost may end it earlier. */
static int reads_what(const footprints *f, uint32_t access, uint32_t other) {
    const footprint *its = &f->all[access];
    const uint64_t *written = f->bits + (2 * other + 1) * f->words;
    if (f->all[other].ends) return 1;
    for (uint32_t k = its->reads; k < its->writes; k++)
        if (written[f->lists[k] / 64] >> f->lists[k] % 64 & 1) return 1;
    return 0;
}

size_t relate_here(core *c, int thread, uint32_t access) {
    executions *x = path_of(c);
    const footprints *f = footprints_of(c);
    const footprint *its = &f->all[access];
    cut *past = &x->pasts[x->event_count];
    size_t count = 0, races = 0;
    int before = x->last[thread];
    if (before == NOBODY) before = creation_of(c, thread);
    if (before == NOBODY) memset(past, 0, sizeof *past);
    else *past = x->pasts[before];
    for (uint32_t k = its->reads; k < its->writes; k++) {
        const key *it = &f->keys[f->lists[k]];
        if (!it->of_thread) count = keep(x, count, it->writer);
        else if (it->writer != NOBODY) join_past(c, past, &x->pasts[it->writer]);
    }
    for (uint32_t k = its->writes; k < its->end; k++) {
        const key *it = &f->keys[f->lists[k]];
        if (it->of_thread) continue;
        count = keep(x, count, it->writer);
        for (uint32_t r = it->readers; r != 0; r = x->readers[r].next)
            count = keep(x, count, x->readers[r].event);
    }
    int ends = its->ends && c->algorithm != HYBRID;
    for (int t = 1; ends && t <= c->thread_count; t++) count = keep(x, count, x->last[t]);
    for (size_t k = 0; k < count; k++) {
        size_t e = (size_t)x->found[k];
        if (is_in_past(x, past, e)) continue;
        join_past(c, past, &x->pasts[e]);
        x->found[races++] = (int32_t)e;
    }
    return races;
}

int relate(core *c, int thread, uint32_t access) {
    executions *x = c->executions;
    node *n = &x->nodes[x->depth - 1];
    size_t count = relate_here(c, thread, access);
    n->race_count = count;
    x->race_count = n->races;
    for (size_t k = 0; k < count; k++) {
        int32_t e = x->found[k];
        if (x->race_count == x->race_room) {
            int32_t *more = realloc(x->races, 2 * x->race_room * sizeof *more);
            if (more != NULL) x->races = more;
            uint32_t *looks = realloc(x->looks, 2 * x->race_room * sizeof *looks);
            if (looks != NULL) x->looks = looks;
            if (more == NULL || looks == NULL) return 0;
            x->race_room *= 2;
        }
        int alike = c->p.h.looks != PASSED && !c->p.loses && !reads_what(&x->footprints, access, x->events[e].access);
        x->looks[x->race_count] = alike ? access : 0;
        x->races[x->race_count++] = e;
    }
    return 1;
}

void future_of(const core *c, size_t e, cut *removed) {
    const executions *x = c->executions;
    memset(removed, 0xff, sizeof *removed);
    removed->of[x->events[e].thread] = x->events[e].number;
    for (size_t j = e + 1; j < x->event_count; j++)
        if (is_in_past(x, &x->pasts[j], e) && !is_removed(x, removed, j))
            removed->of[x->events[j].thread] = x->events[j].number;
}

size_t races_in_cut(core *c, int thread, uint32_t access, const cut *removed) {
    executions *x = c->executions;
    size_t count = 0;
    cut passed = {{0}};
    for (size_t e = x->event_count; e-- > 0;) {
        const event *its = &x->events[e];
        if (is_removed(x, removed, e) || is_in_past(x, &passed, e)) continue;
        if (its->thread != thread) {
            if (!in_conflict(&x->footprints, its->access, access)) continue;
            x->found[count++] = (int32_t)e;
        }
        join_past(c, &passed, &x->pasts[e]);
    }
    return count;
}

/* -- the path ------------------------------------------------------------------------------- */

static int keep_key(executions *x, const footprints *f, uint32_t k) {
    if (x->undo_count == x->undo_room) {
        touched *more = realloc(x->undo, 2 * x->undo_room * sizeof *more);
        if (more == NULL) return 0;
        x->undo = more, x->undo_room *= 2;
    }
    const key *it = &f->keys[k];
    x->undo[x->undo_count++] = (touched){.key = k, .writer = it->writer, .readers = it->readers};
    return 1;
}

int push_event(core *c, int thread, uint32_t access) {
    executions *x = path_of(c);
    footprints *f = footprints_of(c);
    const footprint *its = &f->all[access];
    if (x->event_count + 2 > x->event_room && !more_events(x)) return 0;
    int e = (int)x->event_count, before = x->last[thread];
    x->events[e] = (event){.thread = thread, .previous = before, .access = access,
                           .number = before == NOBODY ? 0 : x->events[before].number + 1,
                           .undo = x->undo_count, .readers = x->reader_count};
    for (uint32_t k = its->reads; k < its->writes; k++) {
        key *it = &f->keys[f->lists[k]];
        if (!keep_key(x, f, f->lists[k])) return 0;
        if (x->reader_count == x->reader_room) {
            reader *more = realloc(x->readers, 2 * x->reader_room * sizeof *more);
            if (more == NULL) return 0;
            x->readers = more, x->reader_room *= 2;
        }
        x->readers[x->reader_count] = (reader){.event = e, .next = it->readers};
        it->readers = (uint32_t)x->reader_count++;
    }
    for (uint32_t k = its->writes; k < its->end; k++) {
        if (!keep_key(x, f, f->lists[k])) return 0;
        f->keys[f->lists[k]].writer = e;
        f->keys[f->lists[k]].readers = 0;
    }
    x->pasts[e].of[thread] = x->events[e].number + 1;
    x->last[thread] = e;
    x->event_count++;
    return 1;
}

void pop_event(core *c) {
    executions *x = path_of(c);
    footprints *f = footprints_of(c);
    const event *its = &x->events[--x->event_count];
    x->last[its->thread] = its->previous;
    while (x->undo_count > its->undo) {
        const touched *it = &x->undo[--x->undo_count];
        f->keys[it->key].writer = it->writer;
        f->keys[it->key].readers = it->readers;
    }
    x->reader_count = its->readers;
    if (x->said_events > x->event_count) x->said_events = x->event_count;
}

void happens_before_again(executions *x) {
    x->event_count = x->undo_count = 0;
    x->reader_count = 1; /* 0 is no reader */
    for (int t = 0; t < LANES; t++) x->last[t] = NOBODY;
}

int happens_before_new(executions *x) {
    x->event_room = 64, x->reader_room = 64, x->undo_room = 64, x->race_room = 64;
    x->events = calloc(x->event_room, sizeof *x->events);
    x->pasts = calloc(x->event_room, sizeof *x->pasts);
    x->found = calloc(x->event_room, sizeof *x->found);
    x->v = calloc(x->event_room, sizeof *x->v);
    x->stays = calloc(x->event_room / 32, sizeof *x->stays);
    x->readers = calloc(x->reader_room, sizeof *x->readers);
    x->undo = calloc(x->undo_room, sizeof *x->undo);
    x->races = calloc(x->race_room, sizeof *x->races);
    x->looks = calloc(x->race_room, sizeof *x->looks);
    happens_before_again(x);
    return x->events && x->pasts && x->found && x->v && x->stays && x->readers && x->undo && x->races && x->looks;
}

void happens_before_free(executions *x) {
    free(x->events), free(x->pasts), free(x->found), free(x->v), free(x->stays), free(x->readers);
    free(x->undo), free(x->races), free(x->looks);
}
