/* The condition on cycles for searches that have no stack in common, as
 * `abpress/reductions/static/returning.py`: NOTE(returning). The graph H is gone through on top of the stack. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "executions.h"

/* States of H by the numbers of their rows: their place in the order in which a traversal has come to them, the
 * least one of those that they lead back to, and their component; 0: none. */
typedef struct {
    uint32_t order, low, component;
} in_h;

typedef struct returning {
    interner states;
    in_h *all;
    size_t room, on_way_room, open_room, open_count, words_room;
    uint32_t *on_way, *open; /* the states of frames, and those whose component is not known */
    word *words;
    uint32_t met, components;
} returning;

int returning_new(core *c) {
    returning *r = c->returning = calloc(1, sizeof *r);
    return r != NULL && interner_new(&r->states);
}

void returning_free(core *c) {
    returning *r = c->returning;
    if (r == NULL) return;
    interner_free(&r->states);
    free(r->all), free(r->on_way), free(r->open), free(r->words);
    free(r);
}

/* The number of the state of a row; 0: without memory. */
static uint32_t state_of(core *c, const uint32_t *row) {
    returning *r = c->returning;
    size_t length = c->states.width;
    while (length > 0 && row[length - 1] == 0) length--;
    if (!room_for((void **)&r->words, &r->words_room, length + 1, sizeof *r->words)) return refuse(c, "memory is used up"), 0;
    for (size_t k = 0; k < length; k++) r->words[k] = row[k];
    uint32_t number = interner_number(&r->states, r->words, length);
    size_t room = r->room;
    if (number == 0 || !room_for((void **)&r->all, &r->room, number + (size_t)1, sizeof *r->all))
        return refuse(c, "memory is used up"), 0;
    if (r->room > room) memset(r->all + room, 0, (r->room - room) * sizeof *r->all);
    return number;
}

/* A traversal comes to a state, whose row is `c->row`. */
static int enter(core *c, size_t base, uint32_t state) {
    returning *r = c->returning;
    frame *f = push_frame(c);
    if (f == NULL) return 0;
    size_t k = c->depth - 1 - base;
    if (!room_for((void **)&r->on_way, &r->on_way_room, k + 1, sizeof *r->on_way) ||
        !room_for((void **)&r->open, &r->open_room, r->open_count + 1, sizeof *r->open))
        return refuse(c, "memory is used up"), 0;
    r->on_way[k] = r->open[r->open_count++] = state;
    r->all[state].order = r->all[state].low = ++r->met;
    if ((r->met & 255) == 0 && __atomic_load_n(&c->common->stopped, __ATOMIC_RELAXED)) c->over = 1;
    int alone = goes_alone(c, f);
    f->safe = 1, f->known = 0;
    f->threads = alone == 0 ? 0 : BIT(alone);
    return !c->over;
}

/* All of what leads to a state, and is led to by it, is a component if nothing before is. */
static void leave(returning *r, uint32_t state) {
    if (r->all[state].low != r->all[state].order) return;
    uint32_t member;
    r->components++;
    do {
        member = r->open[--r->open_count];
        r->all[member].component = r->components;
    } while (member != state);
}

static void lower(in_h *its, uint32_t low) {
    if (low < its->low) its->low = low;
}

/* Finds the components of all that the state at the top leads to in H (Tarjan). */
static void find_components(core *c, uint32_t root) {
    returning *r = c->returning;
    size_t base = c->depth, since = c->change_count, alternatives = c->alternative_count;
    memcpy(c->row, stored_top(c), c->states.width * sizeof *c->row);
    c->silent = 1;
    int goes_on = enter(c, base, root);
    while (goes_on && c->depth > base) {
        frame *f = &c->stack[c->depth - 1];
        size_t k = c->depth - 1 - base;
        enum outcome found = next_step(c, f);
        if (c->over || found == REFUSED) break;
        if (found == NOTHING) {
            leave(r, r->on_way[k]);
            c->depth--;
            if (k > 0) {
                lower(&r->all[r->on_way[k - 1]], r->all[r->on_way[k]].low);
                machine_undo(c, c->stack[c->depth - 1].changes);
            }
            continue;
        }
        if (found == STEPS) {
            if (!c->row_made && !stored_row(c, f->changes)) {
                refuse(c, "memory is used up");
                break;
            }
            uint32_t next = state_of(c, c->row);
            if (next == 0) break;
            if (r->all[next].order == 0) {
                goes_on = enter(c, base, next);
                continue;
            }
            if (r->all[next].component == 0) lower(&r->all[r->on_way[k]], r->all[next].order);
        }
        machine_undo(c, f->changes);
    }
    c->silent = 0;
    c->depth = base, c->alternative_count = alternatives;
    machine_undo(c, since);
}

int asks_for_all(core *c, int alone) {
    size_t rounds = 0, since = c->change_count;
    uint32_t here = 0;
    int asks = 0;
    word before = thread_of(c, alone)[0];
    c->prefix_length = 0;
    c->silent = 1;
    do {
        enum outcome found = machine_step(c, alone);
        word after = thread_of(c, alone)[0];
        int advances = found != STEPS || after == ABSENT || after == DONE || after > before;
        uint32_t there = 0;
        if (!advances) {
            if (!stored_row(c, since)) refuse(c, "memory is used up");
            else there = state_of(c, c->row);
        }
        int taken[MOST_CHOICES], widths[MOST_CHOICES], count = c->taken_count;
        memcpy(taken, c->taken, sizeof taken), memcpy(widths, c->widths, sizeof widths);
        machine_undo(c, since);
        if (there != 0 && here == 0) {
            here = state_of(c, stored_top(c));
            if (here != 0 && c->returning->all[here].component == 0) {
                c->silent = 0;
                find_components(c, here);
                c->silent = 1;
            }
        }
        if (c->over || found == REFUSED) break;
        const in_h *all = c->returning->all;
        asks = there != 0 && all[there].component == all[here].component;
        memcpy(c->taken, taken, sizeof taken), memcpy(c->widths, widths, sizeof widths);
        c->taken_count = count;
        if (++rounds > MOST_ALTERNATIVES) refuse(c, "too many alternatives of one step");
    } while (!c->over && !asks && machine_next_choices(c));
    c->prefix_length = 0;
    c->silent = 0;
    return asks;
}
