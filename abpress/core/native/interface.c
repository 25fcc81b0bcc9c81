/* What is called from outside. */
#include <stdlib.h>
#include <string.h>

#include "dynamic.h"
#include "hunt.h"
#include "symmetric.h"

void core_free(core *c) {
    if (c == NULL) return;
    executions_free(c);
    hunt_free(c);
    search_free(c);
    machine_free(c);
    program_free(&c->p);
    interner_free(&c->asked);
    free(c->ended_at), free(c->answers);
    free(c);
}

/* A search of the program of these words, in which without stored states threads take fewer than
 * `most_steps`, and come back to a place `unroll` times, if that is a bound; NULL, and why, if there is
 * none. */
core *core_new(const word *words, size_t count, int algorithm, uint64_t most_steps, uint64_t unroll,
               listener tell, const char **why) {
    *why = "no algorithm";
    if (algorithm < 0 || algorithm >= ALGORITHM_COUNT) return NULL;
    core *c = calloc(1, sizeof *c);
    *why = "memory is used up";
    if (c == NULL) return NULL;
    c->tell = tell, c->algorithm = (enum algorithm)algorithm;
    const char *bad = program_read(&c->p, words, count);
    if (bad == NULL && has_foresight(c) && c->p.h.fields == 0) bad = "nothing is told of later accesses";
    if (bad == NULL && c->p.h.classes > 0 && algorithm > S_POR) bad = "threads do not count as equal here";
    if (bad != NULL) {
        *why = bad;
        program_free(&c->p);
        free(c);
        return NULL;
    }
    c->ended_at = calloc((size_t)c->p.h.locations, 1);
    if (!c->ended_at || !interner_new(&c->asked) || !machine_new(c) ||
        !(algorithm < INTERLEAVINGS ? search_new(c)
                                    : algorithm == RANDOM || executions_new(c, most_steps, unroll))) {
        core_free(c);
        return NULL;
    }
    return c;
}

/* Goes on for about so many steps; with stored states not beyond so many, but for some steps. */
int core_run(core *c, uint64_t most_steps, uint64_t most_states) {
    if (c->algorithm == RANDOM) return EXHAUSTED;
    return c->executions == NULL ? search_run(c, most_steps, most_states)
                                 : executions_run(c, most_steps);
}

/* States, steps, choices among threads, depth, and executions: complete, deadlocked, blocked,
 * violating; threads that have names; bytes of the stored states. Executions that their sleep sets
 * block, races; sequences in wakeup trees, nodes that are new there, and nodes there at most; states
 * that are remembered, and executions that were put together. Looks behind
 * visited states, steps that were looked at there, and summaries of that; paths that were
 * looked at for races; points-to sets, those that are determinate, and choices that were added; and
 * executions that were cut at a bound; how many the states are with all permutations of equal threads, in two words. */
void core_counts(const core *c, uint64_t *counts) {
    const table *t = &c->states;
    const executions *x = c->executions;
    const graph *g = c->graph;
    uint64_t sets = 0, determinate = 0;
    bits128 permuted = c->symmetric != NULL ? c->symmetric->stands_for : 0;
    if (c->algorithm == HYBRID) hybrid_counts(g, &sets, &determinate);
    uint64_t bytes = table_bytes(t) + (g ? graph_bytes(g) : 0) + interner_bytes(&c->memory) + interner_bytes(&c->heap) +
                     interner_bytes(&c->frames) + effects_bytes(c) + symmetric_bytes(c) + (x && remembers(c) ? remembered_bytes(x) : 0);
    const uint64_t its[] = {states_stored(c), c->steps, c->thread_choices, c->max_depth, c->complete,
                            c->deadlocked, c->blocked, c->violating, (uint64_t)c->thread_count, bytes,
                            x ? x->sleep_blocked : 0, x ? x->race_number : 0,
                            x ? x->wakeup.sequences : 0, x ? x->wakeup.new : 0, x ? x->wakeup.most : 0,
                            x ? x->remembered_past.closed : 0, x ? x->remembered_past.put_together : 0, g ? g->traversals : 0, g ? g->looked_at : 0,
                            g ? g->summary_sets.count : 0, g ? g->paths : 0, sets, determinate,
                            g ? g->retroactive : 0, x ? x->bounds.executions : 0,
                            (uint64_t)(permuted >> 64), (uint64_t)permuted};
    memcpy(counts, its, sizeof its);
}

/* The creator of a thread, and the number of the creation. */
void core_thread(const core *c, int thread, int *name) {
    int known = thread >= 1 && thread <= c->thread_count;
    name[0] = known ? c->creators[thread] : 0;
    name[1] = known ? c->numbers[thread] : 0;
}

/* The length of the path to the state that is told of, in steps. */
size_t core_depth(const core *c) {
    if (c->executions != NULL) return executions_depth(c);
    if (c->hunt != NULL) return c->hunt->path.count;
    return c->depth == 0 ? 0 : c->depth - 1;
}

/* A step of the path: its thread and choices; returns how many choices there are, -1 if there is
 * no such step. */
int core_step(const core *c, size_t k, int *thread, int *choices) {
    if (k >= core_depth(c) || c->hunt != NULL) return -1;
    if (c->executions != NULL) return executions_step(c, k, thread, choices);
    const frame *f = &c->stack[k];
    *thread = f->thread;
    if (f->chosen == 0) return 0;
    const int *its = c->alternatives + f->chosen - 1;
    memcpy(choices, its + 1, (size_t)its[0] * sizeof *its);
    return its[0];
}

/* Whether a thread had to wait in a loop at the location. */
int core_waited(const core *c, int64_t pc) {
    const executions *x = c->executions;
    return x != NULL && pc >= 0 && pc < c->p.h.locations && x->waited[pc];
}

/* The choices of the last attempt. */
int core_taken(const core *c, int *choices) {
    memcpy(choices, c->taken, (size_t)c->taken_count * sizeof *choices);
    return c->taken_count;
}

const char *core_refusal(const core *c, word *location) {
    *location = c->refused_at;
    return c->refusal;
}

#define SIGNATURE(name, operands) #name ":" operands " "
const char *core_operations(void) { return OPERATIONS(SIGNATURE); }
