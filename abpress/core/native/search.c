/* Depth-first search with stored states, as `abpress/search/stateful.py` has it, with the
 * reductions `none` and `s-por` (`abpress/reductions/static`), step for step; dynamic.c has others. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "dynamic.h"
#include "symmetric.h"

#ifdef CHECKED
#define HANDS_OVER_OFTEN (c->common != NULL)
#else
#define HANDS_OVER_OFTEN 0
#endif

/* -- alternatives --------------------------------------------------------------------------- */

int keep_choices(core *c) {
    size_t more = (size_t)c->taken_count + 1;
    if (c->alternative_count + more > c->alternative_room) {
        size_t room = 2 * c->alternative_room + more;
        int *its = realloc(c->alternatives, room * sizeof *its);
        if (its == NULL) return 0;
        c->alternatives = its, c->alternative_room = room;
    }
    c->alternatives[c->alternative_count++] = c->taken_count;
    for (int k = 0; k < c->taken_count; k++)
        c->alternatives[c->alternative_count++] = c->taken[k];
    return 1;
}

/* Whether the outcome (the row, and which violation) is new among so many. */
static int is_new(core *c, size_t count) {
    size_t width = c->states.width;
    for (size_t k = 0; k < count; k++) {
        const uint32_t *its = c->found + k * (width + 1);
        if (its[0] == (uint32_t)c->violation && memcmp(its + 1, c->row, width * sizeof *its) == 0)
            return 0;
    }
    if ((count + 1) * (width + 1) > c->found_room) {
        uint32_t *more = realloc(c->found, 2 * c->found_room * sizeof *more);
        if (more == NULL) {
            refuse(c, "memory is used up");
            return 0;
        }
        c->found = more, c->found_room *= 2;
    }
    uint32_t *its = c->found + count * (width + 1);
    its[0] = (uint32_t)c->violation;
    memcpy(its + 1, c->row, width * sizeof *its);
    return 1;
}

int enumerate(core *c, frame *f, int thread, enum outcome first, enum outcome *why) {
    size_t count = 0, rounds = 0, since = f->changes;
    enum outcome found = first;
    *why = ASSUMES;
    f->next = c->alternative_count;
    for (;;) {
        if (found == AWAITS) *why = AWAITS;
        if (found == STEPS || found == VIOLATES) {
            size_t width = c->states.width;
            if (!stored_row(c, since)) return refuse(c, "memory is used up"), -1;
            if (c->states.width != width) { /* than rows that were kept: begin anew */
                count = rounds = 0;
                c->alternative_count = f->next;
                machine_undo(c, since);
                c->prefix_length = 0;
                found = machine_step(c, thread);
                if (found == REFUSED || c->over) return -1;
                continue;
            }
            int left_out = c->graph != NULL && found == STEPS && graph_stays(c);
            if (!left_out && is_new(c, count)) {
                count++;
                if (!keep_choices(c)) return refuse(c, "memory is used up"), -1;
            }
        }
        machine_undo(c, since);
        if (c->over || found == REFUSED) return -1;
        if (!machine_next_choices(c)) break;
        if (++rounds > MOST_ALTERNATIVES) return refuse(c, "too many alternatives of one step"), -1;
        found = machine_step(c, thread);
    }
    c->prefix_length = 0;
    return (int)count;
}

enum outcome next_step(core *c, frame *f) {
    c->row_made = 0;
    for (;;) {
        if (f->left > 0) {
            const int *its = c->alternatives + f->next;
            f->chosen = f->next + 1;
            c->prefix_length = its[0];
            memcpy(c->prefix, its + 1, (size_t)its[0] * sizeof *its);
            f->next += 1 + (size_t)its[0];
            f->left--;
            enum outcome found = machine_step(c, f->thread);
            c->prefix_length = 0;
            return found;
        }
        c->alternative_count = f->alternatives;
        f->chosen = 0;
        if (f->threads == 0 && c->graph != NULL && !f->safe) {
            int t = graph_choose(c);
            if (c->over) return REFUSED;
            if (t != 0) f->threads = BIT(t);
        }
        if (f->threads == 0) return NOTHING;
        f->thread = __builtin_ctzll(f->threads) + 1;
        f->threads &= f->threads - 1;
        uint64_t bit = 1ULL << (f->thread - 1);
        if (f->still & bit) continue;
        const effect *its = NULL;
        if (f->ahead & bit && !(f->known & bit)) its = effect_find(c, f->thread);
        if (f->known & bit || its != NULL) {
            if (!f->safe && ++f->moving == 2) c->thread_choices++;
            if (its == NULL) return RETURNS;
            effect_take(c, its);
            c->row_made = 1;
            return STEPS;
        }
        c->prefix_length = 0;
        enum outcome found = machine_step(c, f->thread), why;
        if (found == REFUSED || c->over) return REFUSED;
        int several = c->taken_count > 0;
        if (several) {
            int count = enumerate(c, f, f->thread, found, &why);
            if (count < 0) return REFUSED;
            f->left = (size_t)count;
            if (count == 0) continue;
        } else if (found != STEPS && found != VIOLATES) {
            continue;
        }
        if (!f->safe && ++f->moving == 2) c->thread_choices++;
        if (!several) return found;
    }
}

/* -- s-por ---------------------------------------------------------------------------------- */

/* Whether the steps of the thread suffice: NOTE(blocked-threads), NOTE(branching-threads),
 * NOTE(ignoring). */
static int suffices(core *c, frame *f, int thread) {
    enum met met = c->graph != NULL ? NOT_TRIED : ahead_one(c, f, thread);
    if (met != NOT_TRIED) return met != ON_PATH; /* never, where states are common */
    if (f->still >> (thread - 1) & 1) return 0;
    int goes_on = 0, on_stack = 0;
    size_t rounds = 0;
    c->prefix_length = 0;
    do {
        size_t since = c->change_count;
        enum outcome found = machine_step(c, thread);
        if (found == STEPS && c->common != NULL) goes_on = 1;
        else if (found == STEPS && !on_stack) {
            if (!stored_row(c, since)) return refuse(c, "memory is used up"), 0;
            enum met known = c->symmetric != NULL ? symmetric_find(c, thread)
                             : c->graph != NULL   ? graph_find(c)
                                                  : table_find(&c->states, c->row);
            on_stack = known == ON_PATH;
            goes_on = 1;
        }
        machine_undo(c, since);
        if (c->over || found == REFUSED) return 0;
        if (++rounds > MOST_ALTERNATIVES) return refuse(c, "too many alternatives of one step"), 0;
    } while (machine_next_choices(c));
    c->prefix_length = 0;
    return goes_on && !on_stack;
}

/* How many tests a thread may pass that is explored alone. */
static int tests_of(const core *c) {
    switch (c->algorithm) {
    case STATES: return 0;
    case HEAP_REACH: return 2;
    case HEAP_REACH_FIELDS: case HYBRID: return 3;
    default: return c->algorithm == S_POR || graph_is_filtered(c);
    }
}

/* Whether the thread passes a test: its step is invisible, confined, or uncontended. `accesses` are those
 * that were looked at. */
static int passes(core *c, int test, int thread, uint32_t *accesses) {
    if (test == 0) return c->p.locations[thread_of(c, thread)[0]].invisible;
    if (accesses[thread] == 0) accesses[thread] = foresight_look(c, thread);
    if (accesses[thread] == 0) return 0;
    return test == 1 ? is_confined(c, thread, accesses[thread]) : is_uncontended(c, thread, accesses[thread]);
}

int goes_alone(core *c, frame *f) {
    int tests = tests_of(c);
    uint32_t accesses[LANES];
    if (tests > 1) memset(accesses, 0, sizeof accesses);
    for (int test = 0; test < tests; test++) {
        uint64_t rest = f->threads;
        for (int k = 0; rest != 0; k++) { /* what is common does not depend on who met a thread first */
            int t = c->common == NULL ? __builtin_ctzll(rest) + 1 : c->by_name[k];
            if (!(rest & BIT(t))) continue;
            rest &= ~BIT(t);
            int alone = passes(c, test, t, accesses) && suffices(c, f, t);
            if (c->over) return 0;
            if (alone) return t;
        }
    }
    return 0;
}

/* -- the stack ------------------------------------------------------------------------------ */

frame *push_frame(core *c) {
    if (!stored_push(c)) return refuse(c, "memory is used up"), NULL;
    if (c->depth == c->stack_room) {
        frame *more = realloc(c->stack, 2 * c->stack_room * sizeof *more);
        if (more == NULL) return refuse(c, "memory is used up"), NULL;
        c->stack = more, c->stack_room *= 2;
    }
    frame *f = &c->stack[c->depth++];
    memset(f, 0, sizeof *f);
    f->changes = c->change_count;
    f->alternatives = c->alternative_count;
    f->threads = machine_threads(c);
    return f;
}

static void push(core *c) {
    frame *f = push_frame(c);
    if (f == NULL) return;
    const table *its = stored_keys(c);
    f->place = its->last, f->moves = its->moves;
    if (c->depth - 1 > c->max_depth) c->max_depth = c->depth - 1;
    if (c->p.h.looks) look(c);
    if (c->over) return;
    f->put_off = c->symmetric != NULL && symmetric_enter(c);
    if (f->put_off) f->threads &= ~BIT(1);
    int alone = goes_alone(c, f);
    if (c->over) return;
    if (alone != 0 && c->returning != NULL && asks_for_all(c, alone)) alone = 0;
    if (c->over) return;
    f = &c->stack[c->depth - 1];
    if (alone != 0) {
        f->safe = 1;
        f->threads = 1ULL << (alone - 1);
        if (c->graph != NULL) graph_enter(c, f, alone);
        return;
    }
    if (c->graph == NULL) {
        ahead_all(c, f);
        return;
    }
    f->threads = 0;
    graph_enter(c, f, 0);
}

/* Whether a thread without a step waits for others. */
static int awaits(core *c, frame *f, int thread) {
    size_t since = c->change_count;
    c->prefix_length = 0;
    enum outcome found = machine_step(c, thread), why = found;
    if (c->taken_count > 0 && found != REFUSED) {
        size_t kept = c->alternative_count;
        enumerate(c, f, thread, found, &why);
        c->alternative_count = kept;
    }
    machine_undo(c, since);
    return why == AWAITS;
}

static void end_here(core *c, frame *f) {
    uint64_t threads = machine_threads(c);
    int all = threads != 0;
    for (uint64_t rest = threads; rest != 0 && all; rest &= rest - 1) {
        if (!awaits(c, f, __builtin_ctzll(rest) + 1)) all = 0;
        if (c->over) return;
    }
    tell_end(c, threads, all);
}

size_t states_stored(const core *c) {
    if (c->common != NULL) return c->added;
    if (c->symmetric != NULL) return c->symmetric->keys.count;
    return c->graph != NULL ? c->graph->states.count : c->states.count;
}

static enum added add_state(core *c, int thread) {
    if (c->symmetric != NULL) return symmetric_add(c, thread);
    if (c->common != NULL) return common_add(c);
    if (c->graph != NULL) return graph_add(c);
    return c->row_made ? table_add_asked(&c->states, c->row) : table_add(&c->states, c->row);
}

static int is_over(core *c, uint64_t until, uint64_t most_states) {
    int stops = c->common == NULL ? states_stored(c) >= most_states : common_pause(c, most_states);
    return stops || c->steps >= until;
}

/* Whether the next step leads to a known state; then it is taken. */
static int returns(core *c, frame *f) {
    uint64_t moves = f->threads & ~f->still, bit = moves & (~moves + 1);
    if (f->left > 0 || !(f->known & bit)) return 0;
    c->alternative_count = f->alternatives;
    f->chosen = 0;
    f->thread = __builtin_ctzll(bit) + 1;
    f->threads = moves ^ bit;
    if (!f->safe && ++f->moving == 2) c->thread_choices++;
    return 1;
}

int search_run(core *c, uint64_t most_steps, uint64_t most_states) {
    uint64_t until = c->steps + most_steps;
    if (c->full) return EXHAUSTED;
    if (c->depth == 0 && !c->over) {
        if (c->common != NULL && !c->begins) return EXHAUSTED;
        c->begins = 0;
        if (!stored_row(c, 0) || add_state(c, 0) == NO_MEMORY)
            refuse(c, "memory is used up");
        else if (!c->over)
            push(c);
    }
    while (!c->over) {
        frame *f = &c->stack[c->depth - 1];
        enum outcome found = c->pending;
        c->pending = NOTHING;
        if (found == NOTHING) {
            found = returns(c, f) ? RETURNS : next_step(c, f);
            if (found == REFUSED || c->over) break;
            if (found == NOTHING && f->put_off && !f->any) {
                f->put_off = 0, f->safe = 1; /* nobody else has a step */
                f->threads = BIT(1);
                continue;
            }
            if (found == NOTHING) {
                if (!f->any && !(c->graph != NULL && graph_has_stayed(c))) end_here(c, f);
                if (c->over) break;
                if (c->graph != NULL) graph_leave(c);
                else stored_leave(c, f);
                if (--c->depth == 0) {
                    c->full = c->common == NULL;
                    return EXHAUSTED;
                }
                machine_undo(c, c->stack[c->depth - 1].changes);
                continue;
            }
            c->steps++;
            f->any = 1;
            if (((c->steps & 255) == 0 || HANDS_OVER_OFTEN) && is_over(c, until, most_states)) {
                c->pending = found;
                return MORE;
            }
        }
        if (found == VIOLATES) {
            tell_violation(c, f->thread);
            machine_undo(c, f->changes);
            continue;
        }
        if (found == RETURNS) continue;
        if (!c->row_made && !stored_row(c, f->changes)) {
            refuse(c, "memory is used up");
            break;
        }
        if (c->symmetric != NULL && !symmetric_look(c, f)) break;
        switch (add_state(c, f->thread)) {
        case NO_MEMORY: refuse(c, "memory is used up"); break;
        case KNOWN:
            if (c->graph != NULL) graph_meet(c);
            machine_undo(c, f->changes);
            break;
        case ADDED: push(c); break;
        }
    }
    if (c->symmetric != NULL && c->symmetric->apart) return TOLD_APART;
    return c->refusal != NULL ? IS_REFUSED : STOPPED;
}

int search_new(core *c) {
    c->pending = NOTHING;
    c->stack_room = 256, c->alternative_room = 256;
    c->stack = malloc(c->stack_room * sizeof *c->stack);
    c->alternatives = malloc(c->alternative_room * sizeof *c->alternatives);
    int dynamic = c->algorithm > HEAP_REACH_FIELDS && c->algorithm < INTERLEAVINGS;
    return stored_new(c) && symmetric_new(c) && effects_new(c) && c->stack && c->alternatives && (!dynamic || graph_new(c)) &&
           (!has_foresight(c) || foresight_new(c));
}

void search_free(core *c) {
    returning_free(c), foresight_free(c), graph_free(c), symmetric_free(c), stored_free(c), effects_free(c);
    free(c->stack), free(c->alternatives), free(c->asked_rows);
}
