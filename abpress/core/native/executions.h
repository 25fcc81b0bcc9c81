/* Search without stored states, in the words of `abpress/search/stateless.py`,
 * `abpress/reductions/stateless` and `abpress/relations`.
 *
 * The machine stands at the end of the current execution: nodes are its prefixes, the event k leads
 * from node k to node k + 1. An event is named by its number, which is the same as that of its node.
 */
#ifndef ABPRESS_EXECUTIONS_H
#define ABPRESS_EXECUTIONS_H

#include "core.h"

enum { LANES = MOST_THREADS + 1, NOBODY = -1, MOST_KEYS = 1 << 14, MAIN = 1 };

#define BIT(thread) (1ULL << ((thread) - 1))

/* What a step may access: a cell, the life of an object or of a thread. When it was recorded last,
 * who has written it last on the path, and who has read it since (in the list of readers). With
 * observers: a thread that writes it blindly, whether others do, too, and whether one was seen to wait for it. */
typedef struct {
    uint32_t read_at, written_at;
    int32_t writer;
    uint32_t readers;
    int of_thread, blind_by, contested, waited;
    size_t place;
} key;

/* What the next step of a thread accesses: of the keys of all footprints those that it reads, and
 * behind them those that it writes. `ends`: the program; `lives`: it writes the life of a thread. So
 * many were `recorded` as reads: for whole executions what is not written blindly is read, too. */
typedef struct {
    uint32_t reads, writes, end, recorded;
    int thread, ends, lives;
} footprint;

/* Numbers of footprints are from 1 on. The bits of each are those that it touches, and behind them
 * those that it writes, `words` words each; bit 0 is the program's being alive, bit k the key k. `blind`
 * are the bits of those that it writes blindly. `whole`, `observes`, `contested` and `stale` are as of
 * `InternedFootprints`. */
typedef struct {
    interner known;
    footprint *all;
    uint32_t *lists;
    uint64_t *bits, *sum, *blind;
    int whole, observes, contested, stale;
    size_t room, listed, list_room, words, bit_room;
    uint32_t *numbers; /* by places */
    key *keys;
    word *name;
    size_t key_count, key_room;
    uint32_t *read, *written, stamp; /* what is being recorded */
    size_t read_count, written_count;
    int ends;
} footprints;

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

/* An event of a sequence that is to be explored. */
typedef struct {
    int thread;
    uint32_t access;
} item;

/* What was done before a step: executions by how they end, steps, and races. */
typedef struct {
    uint64_t complete, deadlocked, blocked, violating, sleep_blocked, steps, races, cut;
} tally;

/* As `ExecutionNode`: sets of threads have bits, what their next steps access stands in `next`, if
 * they were looked at, and in `sleep`, if they sleep; `several` have choices. `plan` is the one of the choice of threads;
 * `tree` and `below` are those of optimal. `races` are in the arena. */
typedef struct {
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

/* Lists of events: 0 is none. */
typedef struct {
    int32_t event;
    uint32_t key, next;
} linked;

/* What an event directly depends on, `fixed` in any order; who reads what it has written, and where. */
typedef struct {
    uint32_t fixed, before, readers;
} observed_event;

/* The last write that is observed, who has read it or the initial value, and the writes since then. */
typedef struct {
    uint32_t stamp;
    int32_t writer;
    uint32_t readers, blind;
} observed_cell;

/* A thread of the sleep set of a prefix that is a weak initial still: `over` if it has come since. What
 * of its blind writes is overwritten is a set of bits of its own. */
typedef struct {
    item its;
    int over;
} sleeper;

/* Of an execution that has ended, with observers; and the sleepers of the nodes of the path. */
typedef struct {
    linked *links;
    observed_event *events;
    observed_cell *cells; /* by keys */
    int32_t *earlier;
    size_t link_count, link_room, event_room, cell_room, earlier_room;
    uint32_t stamp;
    sleeper *sleepers;
    uint64_t *sets, *overwritten;
    size_t sleeper_count, sleeper_room, words;
} observed;

/* Of a record: a step that was explored from its state, and the record of where that leads. */
typedef struct {
    item its;
    uint32_t then, next;
} known_step;

typedef struct {
    item its;
    uint32_t next;
} waiting_thread;

/* As `Record`: the number of its state (0: a step to there violates a property), what slept there, its steps,
 * threads that waited at its node, and at that and its copy, and the next record of the state. With observers
 * what slept are sleepers, and their sets, of so many words; and so is the set of the keys that are `live`. */
typedef struct {
    uint32_t state, alike, slept, slept_count, first, last, waits, copied, next;
    uint64_t asleep;
    size_t sets, live, set_words, live_words;
} state_record;

/* A place on the way through what is known: steps that are left, the step that leads there, who sleeps, and
 * whether that step was executed. */
typedef struct {
    uint32_t rest;
    item its;
    uint64_t asleep;
    int executed;
} continuing;

/* States with their records. With observers, `rests` are states without the contents of cells at fixed places,
 * by which records are found. `follows`: the executions that are known to follow the last of the `own` nodes
 * of the search are being put together, on the `way`, where so many steps are `blocked`; `same`: its state is that of the record. */
typedef struct {
    interner states, rests, seen;
    state_record *records;
    known_step *steps;
    waiting_thread *waits;
    uint32_t *slept, *first; /* `first`: the record of a state that was closed first */
    sleeper *sleepers;
    uint64_t *sets;
    word *words;
    continuing *way;
    unsigned char *wanted; /* events whose races are looked at */
    size_t record_count, record_room, step_count, step_room, wait_count, wait_room, slept_count, slept_room;
    size_t state_room, word_room, way_count, way_room, wanted_room, own, blocked;
    size_t sleeper_count, sleeper_room, set_count, set_room;
    int same;
    uint64_t follows, followed, closed, put_together;
} past_states;

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
    int creator[LANES], child[LANES]; /* threads, in the numbers of who gives leaves out */
    numbers leaves, said;
    struct planner *copy; /* of the tree that has the leaves, if this search has one */
    numbers known;        /* accesses, in the numbers of that */
    size_t said_events, said_length; /* so many events of the execution were said; how many were said last */
    interner told; /* what was said since leaves came: the node, and the accesses */
    uint64_t looked_for, found_again;
    word *telling;
    size_t telling_room;
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
    const cut *tried;
    uint32_t *then; /* events that are removed, but follow what is not */
    size_t then_count, then_room;
    observed observed;
    past_states remembered_past;
    int violated; /* by the last step */
    item *v;
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
/* Whether the thread can move at the node; it is looked for once. */
int can_move(core *c, size_t k, int thread);
/* The threads that can move at the node: the preferred one first, the others in their order. */
int next_enabled(core *c, size_t k, int after);
static inline int is_planned(const node *n, int thread) {
    for (int k = 0; k < n->plan_count; k++)
        if (n->plan[k] == thread) return 1;
    return 0;
}
/* The first thread that can move at the node and does not sleep: `first` before the others; 0 if there is none. */
int first_awake(core *c, size_t k, int first);
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

/* -- footprints.c -- */
int footprints_new(core *c);
footprints *footprints_of(const core *c);
void footprints_free(core *c);
/* Forgets all footprints, which are stale, but for what threads wait for. 0: without memory. */
int footprints_again(core *c);
/* Gives all footprints bits for keys up to this one. */
int footprints_widen(footprints *f, size_t keys);
/* What a key is, in `KEY_WORDS` words that say the same in every process that has the same program,
 * but for the second one, a thread. */
enum { KEY_WORDS = 7 };
void name_key(const core *c, uint32_t key, word *name);
/* The object that has the cell, which is none of the static ones. */
const object *owner_of(const core *c, size_t cell);
void footprint_begin(core *c);
/* The number of what was recorded, of a step that has no choice if it is `certain`; 0 if it is refused. */
uint32_t footprint_end(core *c, int thread, int certain);
void record_read(core *c, size_t cell);
void record_write(core *c, size_t cell);
void record_lifetime(core *c, const object *o);
void record_observed(core *c, const object *o);
/* An access of these bytes ends the attempt, NOTE(failed-accesses). */
void record_failed(core *c, word pointer, uint64_t size);
/* That a step with stored states depends on the cells of an object (NULL: of all), of which footprints tell otherwise. */
void record_sight(core *c, const object *o);
/* The same of which objects there are. */
void record_objects(core *c);
void record_thread(core *c, int thread, int writes);
void record_end(core *c);
/* The event that has created the thread. */
int creation_of(const core *c, int thread);
/* The key of the life of a thread. */
uint32_t life_key(core *c, int thread);
/* That a thread waits, whose attempt accesses that. */
void waits_for(footprints *f, uint32_t access);

/* Whether one of the steps writes what the other touches. */
static inline int in_conflict(const footprints *f, uint32_t a, uint32_t b) {
    const uint64_t *x = f->bits + 2 * f->words * a, *y = f->bits + 2 * f->words * b;
    if (f->words == 1) return ((x[0] & y[1]) | (x[1] & y[0])) != 0;
    uint64_t found = 0;
    for (size_t k = 0; k < f->words; k++)
        found |= (x[k] & y[f->words + k]) | (x[f->words + k] & y[k]);
    return found != 0;
}

/* The same of a step and those that are summed up. */
static inline int conflicts_with_sum(const footprints *f, uint32_t a) {
    const uint64_t *x = f->bits + 2 * f->words * a, *y = f->sum;
    if (f->words == 1) return ((x[0] & y[1]) | (x[1] & y[0])) != 0;
    uint64_t found = 0;
    for (size_t k = 0; k < f->words; k++)
        found |= (x[k] & y[f->words + k]) | (x[f->words + k] & y[k]);
    return found != 0;
}

/* Whether a step accesses nothing but what the other one does. */
static inline int is_part(const footprints *f, uint32_t a, uint32_t of) {
    const uint64_t *x = f->bits + 2 * f->words * a, *y = f->bits + 2 * f->words * of;
    uint64_t more = 0;
    for (size_t k = 0; k < 2 * f->words; k++) more |= x[k] & ~y[k];
    return more == 0;
}

static inline void sum_up(footprints *f, uint32_t a) {
    const uint64_t *x = f->bits + 2 * f->words * a;
    f->sum[0] |= x[0], f->sum[1] |= x[1];
    for (size_t k = 2; k < 2 * f->words; k++) f->sum[k] |= x[k];
}

static inline void sum_nothing(footprints *f) {
    for (size_t k = 0; k < 2 * f->words; k++) f->sum[k] = 0;
}

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

/* -- observed.c -- */
void observed_free(executions *x);
/* Hands on what reverses the races of the execution, which has ended. */
void reverse_observed(core *c);
/* Whether two steps depend on one another although nobody observes their blind writes. */
int are_ordered(const footprints *f, uint32_t a, uint32_t b);
/* Finds the sleepers of the last node, which is a new one. */
void slept_after(core *c);
/* Where those of the last node are, which is none yet where something was done; returns how many. */
size_t slept_now(const core *c, size_t *first);
/* Whether the node has some that were done before; whether one, or a thread that is done there, is a
 * weak initial of v. */
int any_slept(const core *c, size_t k);
int any_sleeper(core *c, size_t k, const item *v, size_t count);
/* As `take_out`. */
int take_out_observed(core *c, item *v, size_t *count, int thread, uint32_t access);

/* -- remembered.c -- */
int remembered_new(core *c);
void remembered_free(executions *x);
/* Forgets all. 0: without memory. */
int remembered_again(core *c);
/* That the last node is new, or left; or that the step of its thread violates a property. */
void remembered_enter(core *c);
void remembered_leave(core *c);
void remembered_violation(core *c);
/* That a thread waits after what would reverse a race of the event after the node, or after less. */
void remembered_wait(core *c, size_t k, int thread, uint32_t access);
/* Hands on what reverses the races of some executions that are known to follow the last node, which is
 * met; returns whether there may be more. */
int remembered_follow(core *c);
/* Whether races of the event with later ones are looked at. */
int remembered_wants(const executions *x, size_t e);

/* -- alike.c -- */
/* Keeps for a record what sleeps at the last node; and, when that is left, which keys are live. 0: without memory. */
int keep_slept(core *c, state_record *its);
int keep_live(core *c, state_record *its, const node *n);
/* Whether all that slept where the record was made sleeps at the last node. */
int slept_fits(const core *c, const state_record *its);
/* Whether its state is that of the machine, with that number, but for cells that nobody reads any more. */
int is_alike(core *c, const state_record *its, uint32_t state);

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
int scan_take_out(footprints *f, scan *s, int thread, uint32_t access);
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
