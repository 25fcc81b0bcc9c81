/* The steps of a thread, one for each outcome of its choices, where states are not stored: as
 * `abpress/semantics/choices.py`. */
#include <stdlib.h>
#include <string.h>

#include "executions.h"

static int by_index(const void *a, const void *b) {
    uint32_t x = ((const change *)a)->index, y = ((const change *)b)->index;
    return x < y ? -1 : x > y;
}

/* Writes what the changes from `since` on have led to behind the outcomes that are kept: how many
 * cells differ, which violation, and the cells; and takes the step back. Returns how long it is; 0:
 * without memory. */
static size_t write_outcome(core *c, size_t since) {
    executions *x = c->executions;
    size_t most = c->change_count - since, count = 0, different = 0;
    if (!room_for((void **)&x->outcomes, &x->outcome_room, x->outcome_count + most + 1,
                  sizeof *x->outcomes))
        return 0;
    change *its = x->outcomes + x->outcome_count + 1;
    for (size_t k = 0; k < most; k++)
        its[k] = (change){c->changes[since + k].index, c->s[c->changes[since + k].index]};
    machine_undo(c, since);
    for (size_t k = 0; k < most; k++)
        if (c->s[its[k].index] != its[k].before) its[count++] = its[k];
    qsort(its, count, sizeof *its, by_index);
    for (size_t k = 0; k < count; k++)
        if (k == 0 || its[k].index != its[k - 1].index) its[different++] = its[k];
    x->outcomes[x->outcome_count] = (change){(uint32_t)different, c->violation};
    return different + 1;
}

/* Keeps the outcome of the step that the machine has taken, unless there is an equal one, and
 * takes it back. */
static int is_new(core *c, size_t since) {
    executions *x = c->executions;
    size_t length = write_outcome(c, since);
    if (length == 0) return refuse(c, "memory is used up"), 0;
    const change *its = x->outcomes + x->outcome_count;
    for (size_t k = 0; k < x->outcome_count; k += x->outcomes[k].index + 1) {
        size_t j = 0;
        while (j < length && x->outcomes[k + j].index == its[j].index &&
               x->outcomes[k + j].before == its[j].before)
            j++;
        if (j == length) return 0;
    }
    x->outcome_count += length;
    return 1;
}

/* Whether the step that was taken from the local state, or not, is one that does not have to wait. */
static int goes_on(core *c, int thread, enum outcome found, local_state before, uint32_t access,
                   size_t since) {
    if (found != STEPS) return found == VIOLATES;
    if (!comes_back(c, thread, before, access, since)) return 1;
    c->executions->waited[before.pc] = 1;
    return 0;
}

/* Whether there is another alternative of the thread's step, whose choices are then the prefix. */
static int next_choices(core *c, size_t *rounds) {
    if (c->over || !machine_next_choices(c)) {
        c->prefix_length = 0;
        return 0;
    }
    if (++*rounds > MOST_ALTERNATIVES)
        return refuse(c, "too many alternatives of one step"), c->prefix_length = 0, 0;
    return 1;
}

/* Whether an alternative of the thread's step goes on. */
static int any_goes_on(core *c, int thread, local_state before, uint32_t access) {
    size_t since = c->change_count, rounds = 0;
    int any = 0;
    do {
        enum outcome found = step_from(c, thread, before, access);
        any |= !c->over && goes_on(c, thread, found, before, access, since);
        machine_undo(c, since);
    } while (next_choices(c, &rounds));
    return any;
}

static enum outcome looked_at(core *c, int thread, uint32_t *access, int *several) {
    size_t since = c->change_count, rounds = 0;
    local_state before = state_before(c, thread);
    int any = 0;
    footprint_begin(c);
    c->records = 1;
    enum outcome its = machine_step(c, thread), found = its;
    *several = c->taken_count > 0;
    while (*several) {
        any |= its == STEPS || its == VIOLATES;
        if (its == AWAITS) found = AWAITS;
        machine_undo(c, since);
        if (!next_choices(c, &rounds)) break;
        its = machine_step(c, thread);
    }
    c->records = 0;
    *access = c->over ? 0 : footprint_end(c, thread, !*several);
    if (*access == 0) return machine_undo(c, since), REFUSED;
    if (*several) {
        c->executions->uncertain = c->executions->loose = 1;
        if (c->executions->leaf != 0) return refuse(c, "workers, where a thread has a choice");
        if (!any) return found == AWAITS ? AWAITS : ASSUMES;
        return any_goes_on(c, thread, before, *access) ? STEPS : ASSUMES;
    }
    if (found == STEPS && !goes_on(c, thread, found, before, *access, since)) found = ASSUMES;
    machine_undo(c, since);
    return found;
}

enum outcome look_at(core *c, int thread, uint32_t *access, int *several) {
    enum outcome found = looked_at(c, thread, access, several);
    if (found == AWAITS || found == ASSUMES) waits_for(&c->executions->footprints, *access);
    return found;
}

size_t list_steps(core *c, int thread, uint32_t access) {
    size_t since = c->change_count, rounds = 0, count = 0;
    local_state before = state_before(c, thread);
    c->executions->outcome_count = 0;
    do {
        enum outcome found = step_from(c, thread, before, access);
        if (!c->over && goes_on(c, thread, found, before, access, since) && is_new(c, since)) {
            count++;
            if (!keep_choices(c)) refuse(c, "memory is used up");
        }
        machine_undo(c, since);
    } while (next_choices(c, &rounds));
    return count;
}
