/* Sleepers, as `abpress/reductions/stateless/sleepers.py`: where observers of writes decide whether a thread is a
 * weak initial. */
#include <stdlib.h>
#include <string.h>

#include "executions.h"

static uint64_t shared_at(const footprints *f, uint32_t a, uint32_t b, size_t k) {
    const uint64_t *x = f->bits + 2 * f->words * a, *y = f->bits + 2 * f->words * b;
    return (x[k] & y[f->words + k]) | (x[f->words + k] & y[k]);
}

int are_ordered(const footprints *f, uint32_t a, uint32_t b) {
    const uint64_t *x = f->blind + f->words * a, *y = f->blind + f->words * b;
    for (size_t k = 0; k < f->words; k++)
        if (shared_at(f, a, b, k) & ~(x[k] & y[k])) return 1;
    return 0;
}

/* What has been overwritten is read: the sleeper is no weak initial any more. Else what is written
 * is not overwritten. */
static int reads_overwritten(const footprints *f, uint32_t access, uint64_t *overwritten) {
    const uint64_t *touched = f->bits + 2 * f->words * access, *blind = f->blind + f->words * access;
    for (size_t k = 0; k < f->words; k++)
        if (touched[k] & ~blind[k] & overwritten[k]) return 1;
    for (size_t k = 0; k < f->words; k++) overwritten[k] &= ~touched[f->words + k];
    return 0;
}

/* The sleeper after one more event: 0 if it is no weak initial any more. */
static int sleeps_after(const footprints *f, sleeper *s, uint64_t *overwritten, item its) {
    if (s->over) return !reads_overwritten(f, its.access, overwritten);
    if (its.thread == s->its.thread) {
        s->over = 1;
        return 1;
    }
    if (are_ordered(f, s->its.access, its.access)) return 0;
    const uint64_t *x = f->blind + f->words * s->its.access, *y = f->blind + f->words * its.access;
    for (size_t k = 0; k < f->words; k++) overwritten[k] |= x[k] & y[k];
    return 1;
}

/* Whether a sleeper is a weak initial still after all items of v. */
static int sleeps(footprints *f, sleeper s, const uint64_t *overwritten, const item *v, size_t count) {
    size_t bytes = f->words * sizeof *f->overwritten;
    if (overwritten == NULL) memset(f->overwritten, 0, bytes);
    else memcpy(f->overwritten, overwritten, bytes);
    for (size_t k = 0; k < count; k++)
        if (!sleeps_after(f, &s, f->overwritten, v[k])) return 0;
    return 1;
}

/* Makes the sets of what was overwritten as wide as footprints are. */
static int widen(core *c) {
    executions *x = c->executions;
    observed *o = &x->observed;
    size_t words = x->footprints.words;
    if (o->words == words) return 1;
    uint64_t *sets = calloc(words * (o->sleeper_room + 1), sizeof *sets);
    if (sets == NULL) return refuse(c, "memory is used up"), 0;
    for (size_t k = 0; k < o->sleeper_count; k++)
        memcpy(sets + k * words, o->sets + k * o->words, o->words * sizeof *sets);
    free(o->sets);
    o->sets = sets, o->words = words;
    return 1;
}

static int more_sleepers(core *c) {
    observed *o = &c->executions->observed;
    if (o->sleeper_count < o->sleeper_room) return 1;
    size_t room = 2 * o->sleeper_room + 64;
    sleeper *all = realloc(o->sleepers, room * sizeof *all);
    if (all != NULL) o->sleepers = all;
    uint64_t *sets = realloc(o->sets, room * o->words * sizeof *sets);
    if (sets != NULL) o->sets = sets;
    if (all == NULL || sets == NULL) return refuse(c, "memory is used up"), 0;
    o->sleeper_room = room;
    return 1;
}

/* Keeps a sleeper of the last node, if it sleeps after an event. */
static void keep_sleeper(core *c, sleeper its, size_t from, item event) {
    executions *x = c->executions;
    observed *o = &x->observed;
    if (!more_sleepers(c)) return;
    uint64_t *set = o->sets + o->sleeper_count * o->words;
    if (from == SIZE_MAX) memset(set, 0, o->words * sizeof *set);
    else memcpy(set, o->sets + from * o->words, o->words * sizeof *set);
    if (sleeps_after(&x->footprints, &its, set, event)) o->sleepers[o->sleeper_count++] = its;
}

void slept_after(core *c) {
    executions *x = c->executions;
    observed *o = &x->observed;
    const node *from = x->depth > 1 ? &x->nodes[x->depth - 2] : NULL;
    if (from == NULL) o->sleeper_count = 0;
    x->nodes[x->depth - 1].slept = o->sleeper_count;
    if (from == NULL || !widen(c)) return;
    item event = {from->current, from->next[from->current]};
    size_t end = o->sleeper_count;
    for (size_t k = from->slept; k < end; k++) keep_sleeper(c, o->sleepers[k], k, event);
    for (uint64_t rest = from->done; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        keep_sleeper(c, (sleeper){.its = {t, from->next[t]}}, SIZE_MAX, event);
    }
}

static size_t end_of_slept(const executions *x, size_t k) {
    return k + 1 < x->depth ? x->nodes[k + 1].slept : x->observed.sleeper_count;
}

size_t slept_now(const core *c, size_t *first) {
    const executions *x = c->executions;
    *first = x->nodes[x->depth - 1].slept;
    return x->observed.sleeper_count - *first;
}

int any_slept(const core *c, size_t k) {
    return end_of_slept(c->executions, k) > c->executions->nodes[k].slept;
}

int any_sleeper(core *c, size_t k, const item *v, size_t count) {
    executions *x = c->executions;
    const observed *o = &x->observed;
    const node *n = &x->nodes[k];
    if (!widen(c)) return 1;
    for (size_t j = n->slept; j < end_of_slept(x, k); j++)
        if (sleeps(&x->footprints, o->sleepers[j], o->sets + j * o->words, v, count)) return 1;
    for (uint64_t rest = n->done; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        if (sleeps(&x->footprints, (sleeper){.its = {t, n->next[t]}}, NULL, v, count)) return 1;
    }
    return 0;
}

int take_out_observed(footprints *f, item *v, size_t *count, int thread, uint32_t access) {
    size_t k = 0;
    while (k < *count && v[k].thread != thread) k++;
    if (k < *count) access = v[k].access;
    if (access == 0 || !sleeps(f, (sleeper){.its = {thread, access}}, NULL, v, *count)) return 0;
    if (k == *count) return 1;
    memmove(v + k, v + k + 1, (--*count - k) * sizeof *v);
    return 1;
}
