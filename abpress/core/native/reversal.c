/* Reversals of races, as `abpress/reductions/stateless/reversal.py`, which has the argument: a race
 * is reversed after the cut without the earlier event and its future; who waits there races again. */
#include <stdlib.h>
#include <string.h>

#include "executions.h"

/* What the event writes blindly stays there, whatever was before it. */
static void hold(footprints *f, uint32_t access) {
    const footprint *its = &f->all[access];
    const uint64_t *blind = f->blind + f->words * access;
    for (uint32_t k = its->writes; k < its->end; k++)
        if (blind[f->lists[k] / 64] >> f->lists[k] % 64 & 1) f->keys[f->lists[k]].held_at = f->held;
}

/* Whether the place holds what an event writes blindly that is not removed. */
static int is_held(const core *c, size_t place) {
    const footprints *f = &c->executions->footprints;
    return place < c->room && f->numbers[place] != 0 && f->keys[f->numbers[place]].held_at == f->held;
}

size_t take_back(core *c, const cut *removed) {
    executions *x = c->executions;
    int holds = x->footprints.contested; /* else who has written a cell later is removed, too */
    size_t count = 0, until = c->change_count;
    x->footprints.held++;
    for (size_t e = x->event_count; e-- > 0;) {
        size_t from = x->nodes[e].changes;
        if (!is_removed(x, removed, e)) {
            if (holds) hold(&x->footprints, x->events[e].access);
        } else {
            while (count + until - from > x->redo_room) {
                change *more = realloc(x->redo, 2 * x->redo_room * sizeof *more);
                if (more == NULL) return refuse(c, "memory is used up"), count;
                x->redo = more, x->redo_room *= 2;
            }
            for (size_t k = until; k-- > from;) {
                const change *its = &c->changes[k];
                if (holds && is_held(c, its->index)) continue;
                x->redo[count++] = (change){its->index, c->s[its->index]};
                c->s[its->index] = its->before;
            }
        }
        until = from;
    }
    return count;
}

void restore(core *c, size_t count) {
    const change *redo = c->executions->redo;
    while (count-- > 0) c->s[redo[count].index] = redo[count].before;
}

static int more_cuts(executions *x) {
    size_t room = 2 * x->cut_room;
    cut *cuts = realloc(x->cuts, room * sizeof *cuts);
    if (cuts != NULL) x->cuts = cuts;
    size_t *todo = realloc(x->todo, room * sizeof *todo);
    if (todo != NULL) x->todo = todo;
    if (cuts == NULL || todo == NULL) return 0;
    x->cut_room = room;
    return 1;
}

/* Keeps a cut that is to be looked at, unless it was. */
static int keep_cut(core *c, const cut *removed, size_t *left) {
    executions *x = c->executions;
    size_t bytes = (size_t)c->thread_count * sizeof removed->of[0];
    for (size_t k = 0; k < x->cut_count; k++)
        if (memcmp(&x->cuts[k].of[1], &removed->of[1], bytes) == 0) return 1;
    if (x->cut_count == x->cut_room && !more_cuts(x)) return refuse(c, "memory is used up"), 0;
    x->todo[(*left)++] = x->cut_count;
    x->cuts[x->cut_count++] = *removed;
    return 1;
}

static size_t first_removed(const executions *x, const cut *removed) {
    size_t k = 0;
    while (k < x->event_count && !is_removed(x, removed, k)) k++;
    return k;
}

/* The events behind the first one that is removed, node `k`, that are not, and those that follow, in
 * `v`; returns how many. */
static size_t rest_of(executions *x, const cut *removed, size_t *k) {
    size_t count = 0, end;
    uint32_t *bits = x->stays;
    *k = first_removed(x, removed);
    for (size_t e = *k + 1; e < x->event_count; e = end) {
        uint32_t stay = 0;
        end = x->event_count - e < 32 ? x->event_count : e + 32;
        for (size_t j = e; j < end; j++) { /* without a branch it is quicker */
            uint32_t stays = !is_removed(x, removed, j);
            x->v[count] = (item){x->events[j].thread, x->events[j].access};
            stay |= stays << (j - e), count += stays;
        }
        *bits++ = stay;
    }
    x->stay_count = count;
    for (size_t j = 0; j < x->then_count; j++) {
        const event *its = &x->events[x->then[j]];
        x->v[count++] = (item){its->thread, its->access};
    }
    return count;
}

/* Takes the step of an event in the state of the machine, which differs from the one in which it was
 * taken in nothing that it depends on. */
static void repeat(core *c, size_t e) {
    executions *x = c->executions;
    const node *n = &x->nodes[e];
    int thread = x->events[e].thread;
    local_state before = state_before(c, thread);
    c->prefix_length = choices_of(c, n, c->prefix);
    c->silent = 1;
    enum outcome found = step_from(c, thread, before, n->next[thread]);
    c->silent = 0;
    c->prefix_length = 0;
    if (found == STEPS) remember(c, thread, before, n->next[thread]);
    else if (found != VIOLATES) refuse(c, "internal error: an event depends on what is removed");
}

/* What the thread's next step would be without the removed events, and what it accesses; REFUSED if
 * the thread has not been created there. */
static enum outcome attempt(core *c, int thread, const cut *removed, uint32_t *access) {
    executions *x = c->executions;
    enum outcome found = REFUSED;
    size_t since = c->change_count;
    size_t changes = take_back(c, removed);
    for (size_t j = 0; j < x->then_count && !c->over; j++) repeat(c, x->then[j]);
    if (!c->over && machine_threads(c) >> (thread - 1) & 1) {
        x->tried = removed, x->tried_then = x->then_count;
        int several;
        if (c->p.h.looks == PASSED) look(c);
        if (!c->over) found = look_at(c, thread, access, &several);
        x->tried = NULL, x->tried_then = 0;
    }
    machine_undo(c, since);
    restore(c, changes);
    return found;
}

/* Hands on that the thread's step is possible without the removed events. */
static void reverse(core *c, int thread, const cut *removed, uint32_t access) {
    executions *x = c->executions;
    size_t k, n = rest_of(x, removed, &k);
    x->v[n] = (item){thread, access};
    if (remembers(c) && x->remembered_past.follows && k + 1 >= x->remembered_past.own) return;
    x->race_number += has_whole(c);
    choice_reverse(c, k, x->v, n + 1);
}

int reverse_races(core *c, int thread, const int32_t *races, uint32_t *looks, size_t count,
                  uint32_t within) {
    executions *x = c->executions;
    size_t left = 0;
    x->race_number += has_whole(c) ? 0 : count;
    x->cut_count = 0;
    for (size_t k = 0; k < count && !c->over; k++) {
        cut removed;
        future_of(c, (size_t)races[k], &removed);
        keep_cut(c, &removed, &left);
    }
    while (left > 0 && !c->over) {
        size_t its = x->todo[--left];
        cut removed = x->cuts[its];
        uint32_t *known = looks != NULL && its < count ? &looks[its] : NULL;
        uint32_t access = known != NULL ? *known : 0;
        enum outcome found = access != 0 ? STEPS : attempt(c, thread, &removed, &access);
        if (found == REFUSED || c->over) continue;
        if (within != 0 && !is_part(&x->footprints, access, within)) return 0;
        if (found == STEPS || found == VIOLATES) {
            if (known != NULL && c->p.h.looks != PASSED && !c->p.loses) *known = access;
            reverse(c, thread, &removed, access);
            continue;
        }
        for (size_t k = 0; remembers(c) && k < count; k++) remembered_wait(c, (size_t)races[k], thread, access);
        if (x->then_count > 0) continue; /* an observer waits: the search begins again */
        for (size_t k = 0, n = races_in_cut(c, thread, access, &removed); k < n && !c->over; k++) {
            cut smaller;
            future_of(c, (size_t)x->found[k], &smaller);
            for (int t = 1; t <= c->thread_count; t++)
                if (removed.of[t] < smaller.of[t]) smaller.of[t] = removed.of[t];
            keep_cut(c, &smaller, &left);
        }
    }
    return 1;
}

/* NOTE(races-met). */
void reverse_met(core *c) {
    executions *x = c->executions;
    node *n = &x->nodes[x->depth - 1];
    int32_t *races = x->races + n->races;
    uint32_t *looks = x->looks + n->races;
    size_t left = 0;
    if (c->p.h.looks == PASSED) return;
    for (size_t k = 0; k < n->race_count && !c->over; k++) {
        if (reverse_races(c, n->current, races + k, looks + k, 1, n->next[n->current])) continue;
        races[left] = races[k];
        looks[left++] = looks[k];
    }
    n->race_count = left;
    x->race_count = n->races + left;
}
