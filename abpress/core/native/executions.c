/* Depth-first search without stored states, as `abpress/search/stateless.py` has it, step for step,
 * with the races of `HappensBeforeRaces` (`abpress/reductions/stateless/races.py`). */
#include <stdlib.h>
#include <string.h>

#include "executions.h"

enum { POLL_EVENTS = 64 };

#define CANNOT_MOVE "internal error: a thread is chosen that cannot move"

static node *top(core *c) { return &c->executions->nodes[c->executions->depth - 1]; }

/* -- races ---------------------------------------------------------------------------------- */

static int looks_for_races(const core *c) { return c->algorithm >= PERSISTENT; }

/* Reverses the race of a next step at the last node with the program's end; if it waits, its races. */
static void reverse_pending(core *c, int thread) {
    executions *x = c->executions;
    int moves = can_move(c, x->depth - 1, thread);
    if (c->over) return;
    uint32_t access = top(c)->next[thread];
    if (moves) {
        x->v[0] = (item){thread, access};
        choice_reverse(c, x->depth - 1, x->v, 1);
        return;
    }
    cut removed;
    memset(&removed, 0xff, sizeof removed);
    size_t count = races_in_cut(c, thread, access, &removed);
    if (count > 0) reverse_races(c, thread, x->found, NULL, count, 0);
}

/* Reverses the races of the events, also of a last one that violates a property. */
static void reverse_all(core *c) {
    const executions *x = c->executions;
    for (size_t k = 0; k < x->depth && !c->over; k++) {
        const node *n = &x->nodes[k];
        if (n->current != 0 && n->race_count > 0)
            reverse_races(c, n->current, x->races + n->races, x->looks + n->races, n->race_count,
                          0);
    }
}

/* -- up and down ---------------------------------------------------------------------------- */

node *executions_push(core *c) {
    executions *x = c->executions;
    if (x->depth == x->node_room) {
        node *more = realloc(x->nodes, 2 * x->node_room * sizeof *more);
        if (more == NULL) return refuse(c, "memory is used up"), NULL;
        x->nodes = more, x->node_room *= 2;
    }
    node *n = &x->nodes[x->depth++];
    n->threads = machine_threads(c);
    n->looked = n->moves = n->several = n->awaits = n->asleep = n->done = 0;
    n->current = n->plan_count = 0;
    n->number = ++x->nodes_made;
    n->entered = executions_ended(c);
    n->changes = c->change_count;
    n->alternatives = c->alternative_count;
    n->left = n->chosen = 0;
    n->races = x->race_count;
    n->race_count = 0;
    n->tree = n->below = 0;
    n->cut = 0, n->place = 0;
    n->record = n->waits = 0, n->met = 0;
    n->slept = x->observed.sleeper_count;
    return n;
}

void executions_branch(core *c, int thread) {
    executions *x = c->executions;
    if (!can_move(c, x->depth - 1, thread)) {
        refuse(c, CANNOT_MOVE);
        return;
    }
    uint32_t access = top(c)->next[thread];
    top(c)->current = thread;
    top(c)->begun = executions_ended(c);
    if (!has_whole(c) && !relate(c, thread, access)) {
        refuse(c, "memory is used up");
        return;
    }
    node *n = top(c);
    c->alternative_count = n->next_one = n->alternatives;
    n->left = n->several & BIT(thread) ? list_steps(c, thread, access) : 1;
    n->next_number = 0;
    if (n->left == 0) refuse(c, CANNOT_MOVE);
    if (c->algorithm == PERSISTENT || c->algorithm == SOURCE) reverse_met(c);
    if (!looks_for_races(c) || has_whole(c) || !x->footprints.all[access].ends) return;
    for (uint64_t rest = top(c)->threads & ~BIT(thread); rest != 0 && !c->over; rest &= rest - 1)
        reverse_pending(c, __builtin_ctzll(rest) + 1);
}

/* What is known of other threads' next steps, and sleeps, stays so after a step that is independent
 * of them. Whether a thread can be created, and what is told of one that ends, is looked at anew. */
static void hand_down(const footprints *f, const node *from, node *n) {
    uint32_t access = from->next[from->current];
    uint64_t known = f->all[access].lives ? 0 : from->looked & n->threads;
    for (uint64_t rest = (known | from->asleep) & ~BIT(from->current); rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        uint32_t its = from->asleep & BIT(t) ? from->sleep[t] : from->next[t];
        if (in_conflict(f, its, access)) continue;
        if (from->asleep & BIT(t)) {
            n->asleep |= BIT(t);
            n->sleep[t] = its;
        }
        if (!(known & BIT(t)) || f->all[its].lives) continue;
        n->looked |= BIT(t);
        n->moves |= from->moves & BIT(t);
        n->several |= from->several & BIT(t);
        n->awaits |= from->awaits & BIT(t);
        n->next[t] = from->next[t];
    }
}

/* Goes on by the step of the current thread, which the machine has taken. */
static void descend(core *c) {
    executions *x = c->executions;
    int thread = top(c)->current;
    if (!push_event(c, thread, top(c)->next[thread])) {
        refuse(c, "memory is used up");
        return;
    }
    if (x->event_count > c->max_depth) c->max_depth = x->event_count;
    node *n = executions_push(c);
    if (n == NULL) return;
    bounds_arrive(c, n, (n - 1)->cut, thread);
    if (c->over) return;
    n->preferred = thread;
    hand_down(&x->footprints, n - 1, n);
    if (has_observers(c)) slept_after(c);
    choice_enter(c);
    if (remembers(c)) remembered_enter(c);
    if (c->p.h.looks && !c->over) look(c);
}

static void backtrack(core *c) {
    executions *x = c->executions;
    if (remembers(c)) remembered_leave(c);
    choice_leave(c);
    x->observed.sleeper_count = top(c)->slept;
    if (--x->depth == 0) {
        c->full = 1;
        return;
    }
    bounds_back(x, top(c) + 1);
    pop_event(c);
    machine_undo(c, top(c)->changes);
}

/* Puts the current thread, if there is one, to sleep: its step has been explored. */
static void leave(node *n) {
    if (n->current == 0) return;
    n->done |= BIT(n->current);
    n->asleep |= BIT(n->current);
    n->sleep[n->current] = n->next[n->current];
    n->current = 0;
}

void executions_back(core *c, size_t depth) {
    while (c->executions->depth > depth) backtrack(c);
    if (depth > 0) leave(top(c));
}

/* -- ends ----------------------------------------------------------------------------------- */

static void end(core *c) {
    executions *x = c->executions;
    uint64_t waiting = 0, threads = top(c)->threads;
    if (has_whole(c)) reverse_observed(c);
    else if (looks_for_races(c)) reverse_all(c);
    for (uint64_t rest = threads; rest != 0 && !c->over; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        if (!can_move(c, x->depth - 1, t)) waiting |= BIT(t);
        else if (!looks_for_races(c)) break;
    }
    for (uint64_t rest = waiting; looks_for_races(c) && !has_whole(c) && rest != 0 && !c->over; rest &= rest - 1)
        reverse_pending(c, __builtin_ctzll(rest) + 1);
    if (c->over) return;
    if (waiting != threads) x->sleep_blocked++;
    else if (top(c)->cut & machine_threads(c)) x->bounds.executions++;
    else tell_end(c, threads, (threads & ~top(c)->awaits) == 0);
}

int choices_of(const core *c, const node *n, int *choices) {
    if (n->chosen == 0) return 0;
    const int *its = c->alternatives + n->chosen - 1;
    memcpy(choices, its + 1, (size_t)its[0] * sizeof *its);
    return its[0];
}

/* An execution ends with a violation by the current thread, which the machine has made. */
static void violates(core *c) {
    executions *x = c->executions;
    int violation = c->violation;
    const node *n = top(c);
    x->violated = 1;
    if (remembers(c)) remembered_violation(c);
    if (has_whole(c)) {
        if (!push_event(c, n->current, n->next[n->current])) refuse(c, "memory is used up");
        else reverse_observed(c), pop_event(c);
    }
    machine_undo(c, n->changes);
    if (looks_for_races(c) && !has_whole(c)) reverse_all(c);
    if (c->over) return;
    c->violation = violation;
    n = top(c);
    c->taken_count = choices_of(c, n, c->taken);
    tell_violation(c, n->current);
}

/* -- the search ----------------------------------------------------------------------------- */

/* Takes the step of the current thread. Returns 0 if others are to have a look before. */
static int step(core *c, uint64_t until) {
    executions *x = c->executions;
    if (!x->paused && c->steps + 1 >= until && (c->steps + 1) % x->poll == 0) {
        x->paused = 1;
        return 0;
    }
    node *n = top(c);
    x->paused = x->violated = 0;
    n->before = executions_tally(c);
    c->steps++;
    executions_take(c);
    return 1;
}

void executions_take(core *c) {
    executions *x = c->executions;
    node *n = top(c);
    int thread = n->current;
    x->race_count = n->races + n->race_count;
    n->left--;
    n->next_number++;
    n->chosen = n->several & BIT(thread) ? n->next_one + 1 : 0;
    c->prefix_length = choices_of(c, n, c->prefix);
    n->next_one += 1 + (size_t)c->prefix_length;
    local_state before = state_before(c, thread);
    enum outcome found = step_from(c, thread, before, n->next[thread]);
    c->prefix_length = 0;
    if (found == STEPS) remember(c, thread, before, n->next[thread]);
    if (found == STEPS && !c->over) descend(c);
    else if (found == VIOLATES && !c->over) violates(c);
    else refuse(c, "internal error: a step that is none");
}

uint64_t executions_ended(const core *c) {
    return c->complete + c->deadlocked + c->blocked + c->violating + c->executions->sleep_blocked +
           c->executions->bounds.executions;
}

tally executions_tally(const core *c) {
    const executions *x = c->executions;
    return (tally){c->complete, c->deadlocked, c->blocked, c->violating,
                   x->sleep_blocked, c->steps, x->race_number, x->bounds.executions};
}

void executions_begin(core *c) {
    node *n = executions_push(c);
    if (n != NULL) n->preferred = 1, choice_enter(c);
    if (n != NULL && remembers(c)) remembered_enter(c);
    if (c->p.h.looks && !c->over) look(c);
}

/* Begins from the initial state, since accesses are stale: what threads wait for stays known, and what
 * was counted of wakeup trees. */
static void begin_again(core *c) {
    executions *x = c->executions;
    machine_undo(c, 0);
    c->steps = c->complete = c->deadlocked = c->blocked = c->violating = c->max_depth = 0;
    c->told_complete = c->told_deadlock = c->told_blocked = 0;
    c->alternative_count = 0;
    memset(c->ended_at, 0, (size_t)c->p.h.locations);
    memset(x->waited, 0, (size_t)c->p.h.locations);
    x->race_number = x->sleep_blocked = 0;
    x->depth = x->race_count = x->observed.sleeper_count = 0;
    x->wakeup.count = x->wakeup.unused = 0;
    happens_before_again(x);
    bounds_again(c);
    interner_free(&c->told);
    if (!interner_new(&c->told) || !footprints_again(c) || !remembered_again(c)) refuse(c, "memory is used up");
    else if (c->tell(EVENT_AGAIN, 0, 0)) c->over = 1;
    if (!c->over) executions_begin(c);
}

int executions_run(core *c, uint64_t most_events) {
    executions *x = c->executions;
    uint64_t until = c->steps + most_events;
    if (x->depth == 0 && !c->over && !c->full) executions_begin(c);
    while (!c->over && !c->full) {
        /* not amid what is put together, after which the Python search begins again, too */
        if (x->footprints.stale && !x->violated && !x->remembered_past.follows) {
            if (x->leaf != 0) return MORE; /* who gives leaves out begins again */
            begin_again(c);
            until = most_events;
            continue;
        }
        if (top(c)->left > 0) {
            if (!step(c, until)) return MORE;
            continue;
        }
        x->violated = 0;
        if (x->remembered_past.follows || top(c)->met) {
            int more = remembered_follow(c) && !c->over;
            if (more && x->stops) continue; /* until it is put together */
            if (more) return MORE;
            if (!c->over) x->sleep_blocked++, backtrack(c);
            continue;
        }
        leave(top(c));
        if (x->leaf != 0 && x->depth == x->frozen) {
            if (!leaf_next(c)) break;
            continue;
        }
        int thread = choice_choose(c);
        if (c->over) break;
        if (thread != 0) executions_branch(c, thread);
        else if (!top(c)->done) end(c);
        if (thread == 0 && !c->over) backtrack(c);
        if (x->stops && thread == 0 && x->depth > x->frozen) return MORE;
    }
    return c->refusal != NULL ? IS_REFUSED : c->over ? STOPPED : EXHAUSTED;
}

size_t executions_depth(const core *c) {
    const executions *x = c->executions;
    size_t count = x->event_count + x->tried_then;
    for (size_t e = 0; x->tried != NULL && e < x->event_count; e++)
        count -= (size_t)is_removed(x, x->tried, e);
    return count;
}

int executions_step(const core *c, size_t k, int *thread, int *choices) {
    const executions *x = c->executions;
    size_t e = 0, left = k;
    for (; e < x->event_count; e++)
        if ((x->tried == NULL || !is_removed(x, x->tried, e)) && left-- == 0) break;
    if (e == x->event_count) e = x->then[left];
    *thread = x->events[e].thread;
    return choices_of(c, &x->nodes[e], choices);
}

int room_for(void **array, size_t *room, size_t count, size_t size) {
    if (count <= *room) return 1;
    void *more = realloc(*array, 2 * count * size);
    if (more == NULL) return 0;
    *array = more, *room = 2 * count;
    return 1;
}

int executions_new(core *c, uint64_t most_steps, uint64_t unroll) {
    executions *x = c->executions = calloc(1, sizeof *x);
    if (x == NULL) return 0;
    x->waited = calloc((size_t)c->p.h.locations, 1);
    x->poll = POLL_EVENTS;
    x->node_room = 64, x->cut_room = 16, x->redo_room = 64;
    x->nodes = calloc(x->node_room, sizeof *x->nodes);
    x->cuts = calloc(x->cut_room, sizeof *x->cuts);
    x->todo = calloc(x->cut_room, sizeof *x->todo);
    x->redo = calloc(x->redo_room, sizeof *x->redo);
    return x->waited && x->nodes && x->cuts && x->todo && x->redo && interner_new(&x->locals) &&
           interner_new(&x->lists) && happens_before_new(x) && footprints_new(c) &&
           bounds_new(c, most_steps, unroll) && remembered_new(c);
}

void executions_free(core *c) {
    executions *x = c->executions;
    if (x == NULL) return;
    happens_before_free(x);
    observed_free(x);
    remembered_free(x);
    footprints_free(c);
    interner_free(&x->locals), interner_free(&x->lists);
    free(x->remembered), free(x->waited), free(x->local_words), free(x->local_starts);
    free(x->nodes), free(x->cuts), free(x->todo), free(x->redo), free(x->wakeup.all);
    free(x->wakeup.copied), free(x->outcomes), free(x->missing), free(x->said.its);
    free(x->leaves.its), free(x->known.its), free(x->bounds.visits);
    free(x);
}
