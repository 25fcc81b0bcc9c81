/* Search without stored states, in the words of `abpress/search/stateless.py`,
 * `abpress/reductions/stateless` and `abpress/relations`.
 *
 * The machine stands at the end of the current execution: nodes are its prefixes, the event k leads
 * from node k to node k + 1. An event is named by its number, which is the same as that of its node.
 */
#ifndef ABPRESS_EXECUTIONS_H
#define ABPRESS_EXECUTIONS_H

#include "whole.h"

/* Events of threads, by thread, as numbers of events: those of a past, or where a cut ends. */
typedef struct {
    uint32_t of[LANES];
} cut;

typedef struct {
    int thread, previous; /* the event of the thread before */
    uint32_t access, number; /* of the thread's events, from 0 on */
    size_t undo, readers;
} event;

typedef struct {
    int32_t event;
    uint32_t next;
} reader;

typedef struct {
    uint32_t key, readers;
    int32_t writer;
} touched;

/* What was done before a step: executions by how they end, steps, and races. */
typedef struct {
    uint64_t complete, deadlocked, blocked, violating, sleep_blocked, steps, races, cut;
} tally;

/* As `ExecutionNode`: sets of threads have bits, what their next steps access stands in `next`, if
 * they were looked at, and in `sleep`, if they sleep; `several` have choices. `plan` is the one of the choice of threads;
 * `tree` and `below` are those of optimal. `races` are in the arena. */
typedef struct node {
    uint64_t threads, looked, moves, several, awaits, asleep, done, cut; /* `cut`: at a bound, none of `threads` */
    uint64_t number; /* of no other node of this search */
    int is_free; /* of optimal: no sequence led beyond it when it was entered */
    uint64_t entered, begun; /* executions that had ended then: at the node, and at its current branch */
    int preferred, current, plan_count;
    size_t changes, races, race_count;
    size_t place; /* where the thread of the last event stands, if visits are counted; 0: it is none */
    size_t alternatives, next_one, left, chosen; /* of the current thread, as of `frame` */
    size_t next_number; /* of its alternatives */
    tally before; /* the step that the machine has taken last there */
    uint32_t tree, below;
    size_t slept; /* where its sleepers begin */
    uint32_t record, waits; /* what is remembered: 0 is none */
    int met; /* all that follows is known */
    uint32_t next[LANES], sleep[LANES];
    unsigned char plan[LANES];
} node;

/* A node of a wakeup tree with its branches; 0 is none. `uncertain`: what is below it is behind a
 * choice. */
typedef struct {
    item its;
    uint32_t first, last, next;
    int uncertain;
} branch;

typedef struct {
    branch *all;
    size_t count, room, copied_room;
    uint32_t unused, *copied;
    uint64_t sequences, new, now, most;
} wakeup_trees;

/* Of a thread on cycles without writes, or before some: which, and where it stands there with which
 * registers. */
typedef struct {
    word cycle, pc;
    uint32_t number;
} local_state;

typedef struct {
    word rest;
    uint32_t state;
} memory;

/* Threads of which somebody else explores one at a node. */
typedef struct {
    size_t node;
    uint64_t threads;
} missing;

enum { NO_CUT = -1, CUT_BY_STEPS, CUT_BY_UNROLLING };

/* Threads take fewer steps than `most_steps`, and come back to a place `unroll` times. `visits` are
 * those of the path, by threads and locations, if they are counted; of what reasons were `told`; and so
 * many `executions` were cut. */
typedef struct {
    uint64_t most_steps, unroll, executions;
    uint32_t *visits;
    int told;
} bounds;

/* A list that is told or given. */
typedef struct {
    int32_t *its;
    size_t count, room;
} numbers;

typedef struct executions {
    footprints footprints;
    bounds bounds;
    uint64_t race_number, sleep_blocked, poll; /* events between two looks */
    uint64_t nodes_made;
    int paused, uncertain, loose; /* some thread has had a choice; wakeup trees are as if some had */
    size_t frozen; /* so many first nodes are somebody else's, who takes their branches */
    missing *missing;
    size_t missing_count, missing_room;
    int wanted[LANES]; /* the threads that are told of, the likeliest first */
    int leaf, stops; /* which leaf is explored; whether the search rests at the end of an execution */
    size_t next_leaf, leaves_done;
    int creator[LANES], child[LANES], own[LANES]; /* threads, in the numbers of who gives leaves out; and here */
    numbers leaves, said;
    struct planner *copy; /* of the tree that has the leaves, if this search has one */
    numbers known;        /* accesses, in the numbers of that */
    size_t said_events, said_length; /* so many events of the execution were said; how many were said last */
    int said_leaf; /* of which leaf; 0: of none */
    change *outcomes; /* of alternatives */
    size_t outcome_count, outcome_room;
    node *nodes;
    size_t depth, node_room;
    /* happens-before */
    event *events;
    cut *pasts; /* with the event itself, if it has been taken */
    size_t event_count, event_room;
    int last[LANES];
    reader *readers;
    touched *undo;
    size_t reader_count, reader_room, undo_count, undo_room;
    int32_t *races, *found;
    uint32_t *looks; /* of races: what the later step accesses without the earlier, if it is known */
    size_t race_count, race_room;
    /* reversals */
    cut *cuts;
    size_t cut_count, cut_room;
    size_t *todo;
    change *redo;
    size_t redo_room;
    const cut *tried; /* events that are taken back; and how many of `then` have been taken since */
    size_t tried_then;
    uint32_t *then; /* events that are removed, but follow what is not */
    size_t then_count, then_room;
    observed observed;
    past_states remembered_past;
    int violated; /* by the last step */
    item *v;
    uint32_t *stays; /* of the events behind those that `v` begins after a bit each: whether `v` has it */
    size_t stay_count;
    wakeup_trees wakeup;
    /* what threads remember, by its number */
    interner locals, lists;
    memory *remembered;
    size_t remembered_room;
    word *local_words; /* of the local states, one after the other; where each begins */
    size_t *local_starts, local_word_room, local_start_room;
    unsigned char *waited; /* where threads had to wait, by location */
} executions;

/* -- executions.c -- */
int executions_new(core *c, uint64_t most_steps, uint64_t unroll);
void executions_free(core *c);
int executions_run(core *c, uint64_t most_events);
/* Enters the initial state. */
void executions_begin(core *c);
/* Begins to explore the thread at the last node: its races, and its steps. */
void executions_branch(core *c, int thread);
/* Takes the next step of the thread that is explored at the last node. */
void executions_take(core *c);
/* A new node for the state of the machine; NULL: without memory. */
node *executions_push(core *c);
/* Goes back to where so many nodes are left, and leaves the branch that was under way there. */
void executions_back(core *c, size_t depth);
tally executions_tally(const core *c);
/* How many have ended, in whatever way. */
uint64_t executions_ended(const core *c);
/* The path to the state that is told of: its length; and of a step the thread, and the choices, of
 * which there are so many. */
size_t executions_depth(const core *c);
int executions_step(const core *c, size_t k, int *thread, int *choices);
/* The choices of the step of the current thread of a node; returns how many there are. */
int choices_of(const core *c, const node *n, int *choices);
static inline int is_planned(const node *n, int thread) {
    for (int k = 0; k < n->plan_count; k++)
        if (n->plan[k] == thread) return 1;
    return 0;
}
/* Whether there are wakeup trees; and whether writes count only if they are observed. */
static inline int has_trees(const core *c) { return c->algorithm >= OPTIMAL; }
static inline int has_observers(const core *c) { return c->algorithm == OBSERVERS || c->algorithm == OBSERVED_CONTEXTS; }
/* Whether what follows states is remembered; and whether races are those of whole executions. */
static inline int has_contexts(const core *c) {
    return c->algorithm == CONTEXTS || c->algorithm == OPTIMAL_CONTEXTS || c->algorithm == OBSERVED_CONTEXTS;
}
static inline int remembers(const core *c) { return has_contexts(c) && c->executions->bounds.visits == NULL; }
static inline int has_whole(const core *c) { return has_observers(c) || has_contexts(c); }
static inline int is_quiet(const executions *x, uint32_t access) {
    const footprint *f = &x->footprints.all[access];
    return !f->ends && f->writes == f->end;
}

/* -- next_steps.c -- */
/* Whether the thread can move at the node; it is looked for once. */
int can_move(core *c, size_t k, int thread);
/* The threads that can move at the node: the preferred one first, the others in their order. */
int next_enabled(core *c, size_t k, int after);
/* The first thread that can move at the node and does not sleep: `first` before the others; 0 if there is none. */
int first_awake(core *c, size_t k, int first);

/* -- bounds.c -- */
int bounds_new(core *c, uint64_t most_steps, uint64_t unroll);
void bounds_again(core *c);
/* Counts the step of the thread that leads to the new node, before which some were cut, and takes those
 * that do not go on from its threads. */
void bounds_arrive(core *c, node *n, uint64_t before, int thread);
/* That the node is left, with the step that leads there. */
void bounds_back(executions *x, const node *n);

/* -- choices.c -- */
/* The next steps of the thread in the state of the machine: STEPS or VIOLATES if there are some, what
 * they access together, and whether it has a choice. */
enum outcome look_at(core *c, int thread, uint32_t *access, int *several);
/* Adds the choices of the thread's next steps to the alternatives; returns their number. */
size_t list_steps(core *c, int thread, uint32_t access);

/* Makes an array large enough; 0: without memory. */
int room_for(void **array, size_t *room, size_t count, size_t size);

/* -- awaits.c -- */
/* The number of the local state of a thread; 0: without memory. */
uint32_t local_number(core *c, int thread);
/* The local state of a thread that stands on cycles without writes, or before some; number 0: it
 * does not. */
local_state state_before(core *c, int thread);
/* Takes the thread's step from the local state; if its access writes, what this step writes is
 * recorded. */
enum outcome step_from(core *c, int thread, local_state before, uint32_t access);
/* Whether the step that was taken so, since there were so many changes, completes a useless part. */
int comes_back(core *c, int thread, local_state before, uint32_t access, size_t since);
/* The last local states that the thread remembers, at most so many; returns how many there are. */
size_t passed_by(const core *c, int thread, int most, word *states);
/* Lets the thread remember where it was before the step that was taken so, or forget all. */
void remember(core *c, int thread, local_state before, uint32_t access);

/* -- happens_before.c -- */
int happens_before_new(executions *x);
void happens_before_free(executions *x);
/* Forgets the path. */
void happens_before_again(executions *x);
/* Makes the past of the thread's next event, and finds its races in `found`, the latest first; returns
 * how many. With a dynamic reduction the events are those of `path.c`. */
size_t relate_here(core *c, int thread, uint32_t access);
/* The same; the races become those of the last node. 0: without memory. */
int relate(core *c, int thread, uint32_t access);
int push_event(core *c, int thread, uint32_t access);
void pop_event(core *c);
/* The event and those that happen after it: where they begin. */
void future_of(const core *c, size_t event, cut *removed);
/* The events that the thread's next step races with in the cut without the `removed` events, the
 * latest first, in `found`; returns their number. */
size_t races_in_cut(core *c, int thread, uint32_t access, const cut *removed);

static inline int is_in_past(const executions *x, const cut *past, size_t e) {
    return past->of[x->events[e].thread] > x->events[e].number;
}

static inline void join_past(const core *c, cut *past, const cut *other) {
    for (int t = 1; t <= c->thread_count; t++)
        if (other->of[t] > past->of[t]) past->of[t] = other->of[t];
}

static inline int is_removed(const executions *x, const cut *removed, size_t event) {
    return x->events[event].number >= removed->of[x->events[event].thread];
}

/* -- reversal.c -- */
/* Takes the machine back to the state without the removed events, and on again; returns how many
 * changes there are to `restore`. */
size_t take_back(core *c, const cut *removed);
void restore(core *c, size_t count);
/* Hands on what reverses races of the step that is about to be explored at the last node; the node
 * keeps those that need whole executions, NOTE(races-met). */
void reverse_met(core *c);
/* Hands on what reverses the races of a step of the thread with these events; returns 0 where the
 * thread would access what is no part of `within` (0: anything), and hands on nothing more. */
int reverse_races(core *c, int thread, const int32_t *races, uint32_t *looks, size_t count,
                  uint32_t within);

/* -- sequences.c -- */
/* Whether some thread of the sleep set is a weak initial of v. */
int any_weak_initial(core *c, const node *n, const item *v, size_t count);
/* Whether an initial of v sleeps, or is the thread. */
int any_initial(core *c, const node *n, const item *v, size_t count, int thread);
/* Takes the thread's first step out of v, if that is a weak initial of it; else returns 0. Without
 * `access` (0) it is none if it is not in v. */
int take_out(core *c, item *v, size_t *count, int thread, uint32_t access);
/* The same for one thread after the other, with a look at each item of what is left of v: how many were
 * looked at, whose first ones (where they are), and which of those are initials. The sum of footprints
 * is of these items, so nobody else sums up meanwhile. */
typedef struct {
    item *v;
    size_t count, looked;
    uint64_t seen, initials;
    size_t first[LANES];
} scan;
void scan_begin(footprints *f, scan *s, item *v, size_t count);
/* The same where the thread's step is not the first item. */
int scan_look(footprints *f, scan *s, int thread, uint32_t access);
static inline int scan_take_out(footprints *f, scan *s, int thread, uint32_t access) {
    if (s->looked > 0 || s->count == 0 || s->v->thread != thread) return scan_look(f, s, thread, access);
    s->v++, s->count--;
    return 1;
}
/* The threads of the items of v that happen before its last one, and of that; how many. */
size_t leading(core *c, const item *v, size_t count, int *threads);

/* -- choice.c -- */
/* As `ThreadChoice`: `choose` returns 0 if all that is needed is done. What reverses a race can be
 * executed after the node k; the sequence is used up. */
void choice_enter(core *c);
int choice_choose(core *c);
void choice_reverse(core *c, size_t k, item *v, size_t count);
void choice_leave(core *c);

/* -- parts.c -- */
/* That one of the threads, the first one if there is none yet, is explored at a frozen node. */
void part_misses(core *c, size_t k, const int *threads, size_t count);

/* -- leaves.c -- */
/* That v is to be explored from a frozen node, where no branch up to the current one has it. */
void leaf_misses(core *c, size_t k, const item *v, size_t count);
/* Goes to the next leaf; 0 if there is none, or the search is to rest. */
int leaf_next(core *c);
/* Adds a number to a list; 0: without memory. */
int numbers_add(numbers *list, int32_t number);

/* -- wakeup.c -- */
uint32_t tree_new(core *c);
/* How many nodes of the tree are new with v; 0 if a leaf covers it. The sequence is used up. */
size_t tree_insert(core *c, uint32_t tree, item *v, size_t count);
uint32_t tree_add(core *c, uint32_t tree, item its);
/* A copy of a tree, and how many nodes it has below the root. */
uint32_t tree_copy(core *c, uint32_t tree, size_t *nodes);
/* Counts nodes of trees that are there besides. */
void count_more(wakeup_trees *w, size_t nodes);
/* The first branch, which is not in the tree any more. */
uint32_t tree_take_first(core *c, uint32_t tree);
/* Frees a tree, and counts it off but for its root. */
void tree_drop(core *c, uint32_t tree);

#endif
