/* Steps that are tried ahead: those of all threads of a new state together, so that the looks into memory
 * which tell whether their states are known are made at once.
 *
 * Nothing may be seen of that: a step that would tell something, that has choices, ends the execution,
 * is refused or gives a thread its number is not taken before its turn comes. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "symmetric.h"

/* Takes the step of a thread at the top of the stack, makes `c->row` of its state, and takes it back.
 * NOTHING: it has to wait for its turn. */
static enum outcome try_step(core *c, const frame *f, int thread) {
    size_t width = c->states.width;
#ifdef CHECKED
    /* Words that are not of the lowering may have registers read that no frame has. */
    memset(c->registers, 0, (size_t)c->p.h.registers * sizeof *c->registers);
#endif
    c->prefix_length = 0;
    c->trial = TRIES;
    enum outcome found = machine_step(c, thread);
    int kept = c->trial == TRIES && c->taken_count == 0;
    c->trial = IN_TURN;
    if (found == STEPS && !(kept && stored_row(c, f->changes) && c->states.width == width)) kept = 0;
    machine_undo(c, f->changes);
    return kept && (found == STEPS || found == AWAITS || found == ASSUMES) ? found : NOTHING;
}

#ifdef CHECKED
/* Compares what a step does with the effect that was found. */
static void check(core *c, const frame *f, int thread, enum outcome found) {
    size_t size = c->states.width * sizeof *c->row;
    uint32_t *row = malloc(size);
    if (row == NULL) abort();
    memcpy(row, c->row, size);
    if (try_step(c, f, thread) != found || (found == STEPS && memcmp(row, c->row, size) != 0)) abort();
    free(row);
}
#endif

/* The outcome of the step of a thread at the top of the stack; its state is told by its effect, or if that was
 * not known by `c->row`. */
static enum outcome attempt(core *c, frame *f, int thread, const effect **by) {
    uint64_t bit = 1ULL << (thread - 1);
    const effect *its = *by = effect_find(c, thread);
    enum outcome found = NOTHING;
    if (its != NULL) {
        found = its->found;
#ifdef CHECKED
        if (found == STEPS) effect_row(c, its);
        check(c, f, thread, found);
#endif
    } else if (effect_begin(c, thread)) {
        c->records = 1;
        found = try_step(c, f, thread);
        c->records = 0;
        if (found != NOTHING) effect_keep(c, thread, found);
    }
    if (found == STEPS) f->ahead |= bit;
    else if (found != NOTHING) f->still |= bit;
    return found;
}

static int ask(core *c, const effect *its) {
    if (c->symmetric != NULL) return table_ask(&c->symmetric->keys, c->symmetric->key);
#ifdef CHECKED
    if (its != NULL) {
        size_t k = c->states.asked_count;
        int one = effect_ask(c, its);
        enum met met = one ? table_answer(&c->states, k) : NEVER;
        c->states.asked_count = k;
        effect_row(c, its);
        int other = table_ask(&c->states, c->row);
        if (one != other || (one && met != table_answer(&c->states, k))) abort();
        return one;
    }
#endif
    return its != NULL ? effect_ask(c, its) : table_ask(&c->states, c->row);
}

static enum met met_in_common(core *c, const effect *its) {
    if (its != NULL) effect_row(c, its);
    return common_has(c) ? BEFORE : NEVER;
}

/* Makes the key of the state that a step leads to, if there are keys. 0: it has to wait for its turn. */
static int has_key(core *c, const effect *its, int thread) {
    if (c->symmetric == NULL) return 1;
    if (its != NULL) effect_row(c, its);
    c->taken_count = 0;
    return symmetric_key(c, thread, 1);
}

static enum met met_alone(core *c, const effect *its, int thread) {
    table *t = stored_keys(c);
    table_begin(t);
    if (!has_key(c, its, thread)) return NOT_TRIED;
    return ask(c, its) ? table_answer(t, 0) : NEVER;
}

enum met ahead_one(core *c, frame *f, int thread) {
    const effect *its;
    if ((size_t)c->thread_count > c->columns || attempt(c, f, thread, &its) != STEPS) return NOT_TRIED;
    enum met met = c->common == NULL ? met_alone(c, its, thread) : met_in_common(c, its);
    if (met != NEVER && met != NOT_TRIED) f->known |= 1ULL << (thread - 1);
    return met;
}

/* The same where others may move what is in memory. */
static void ahead_in_common(core *c, frame *f, uint64_t rest) {
    uint64_t asked = 0;
    size_t k = 0;
    for (; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        const effect *its;
        if (attempt(c, f, t, &its) != STEPS) continue;
        if (its != NULL) effect_row(c, its);
        common_ask(c, k++);
        asked |= 1ULL << (t - 1);
    }
    for (k = 0; asked != 0; asked &= asked - 1, k++)
        if (common_answer(c, k)) f->known |= asked & (~asked + 1);
}

void ahead_all(core *c, frame *f) {
    uint64_t rest = f->threads & ~(f->ahead | f->still);
    if ((rest & (rest - 1)) == 0 || (size_t)c->thread_count > c->columns) return;
    if (c->common != NULL) {
        ahead_in_common(c, f, rest);
        return;
    }
    table *states = stored_keys(c);
    table_begin(states);
    uint64_t asked = 0;
    for (; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        const effect *its;
        if (attempt(c, f, t, &its) == STEPS && has_key(c, its, t) && ask(c, its)) asked |= 1ULL << (t - 1);
    }
    for (size_t k = 0; asked != 0; asked &= asked - 1, k++)
        if (table_answer(states, k) != NEVER) f->known |= asked & (~asked + 1);
}
