/* Reductions of the search that stores states which ask for more threads when it is back at a state:
 * `abpress/reductions/stateful`.
 *
 * The graph are the states that were visited and the steps explored between them. A state is named by
 * its serial number, from 1 on in the order of discovery. */
#ifndef ABPRESS_DYNAMIC_H
#define ABPRESS_DYNAMIC_H

#include "executions.h"

/* The next steps of a thread: what they access, and where among the `outcomes` is told to which states
 * they lead. */
typedef struct {
    uint32_t access;
    size_t outcomes;
} next_steps;

/* Threads in the order in which they were found. */
typedef struct {
    uint64_t set;
    int count;
    unsigned char order[MOST_THREADS];
} thread_list;

/* As `StateNode`: of a state on the stack. `explored` are threads in the order of exploration, the last
 * one is the current one. `moves` have steps, `goes_on` as there; `stays`: some step leads back here. The
 * rest says where in the arenas what belongs to the state begins. */
typedef struct {
    uint32_t serial;
    int safe, cyclic, stays;
    uint64_t threads, moves, goes_on;
    thread_list explored;
    size_t next, outcomes, arrivals, lazies, entries, watched, watched_count;
    size_t race_searches;
    int hopeful; /* whether a thread goes on alone as far as is known */
    int traced;      /* whether its step is the last one of the path with happens-before */
    uint64_t marked; /* when it was found there last */
} state_node;

/* Of a visited state: where its `moves` begin, or its future, if that is kept; the first state that it is known
 * to reach, as long as its component is not known (then 0); whether the search has left it, and whether its
 * component has others. */
enum { MOST_VISITED = 1 << 30 };
typedef struct {
    union {
        uint32_t moves, summary;
    };
    uint32_t low : 30, left : 1, cyclic : 1;
} visited_state;

/* Of the steps that are on all paths to a state and happen after a later step of t: their threads, and
 * the union of what they access. */
typedef struct {
    uint32_t serial, together;
    uint64_t threads;
} after_state;

/* Some threads of s.current[t] for w (which is t, or waits), and how to find more: a traversal of the
 * graph that stands at a move. `seen` has serial numbers below a stamp. The rest is of ordered.c: `before`
 * is at hand, `behind` is behind its move; `is_plain`: accesses are not ordered. */
typedef struct {
    int t, w, is_over, is_plain;
    uint32_t access, stamp;
    thread_list found;
    uint64_t *seen;
    size_t seen_room, seen_count, at;
    numbers todo;
    after_state *after, before, behind;
    size_t after_count, after_room;
} lazily;

/* As `_Path` of `o_dpor.py`: what is accessed are the numbers of unions. */
typedef struct {
    uint32_t state, after_together, together;
    uint64_t after, threads, initials;
} behind_step;

/* The initials of each race with the step of p, as far as they were looked for (0: of an atomic block, or of
 * a thread that waits), and how to find more: `all` paths in the order in which they were met, those to be
 * looked at, and a place among the moves behind `before`; `behind` is behind the move there. */
typedef struct {
    int p;
    uint32_t access;
    uint64_t *found;
    size_t found_count, found_room;
    behind_step *all, before, behind;
    uint32_t *slots; /* from 1 on */
    size_t count, room, slot_room, at;
    numbers todo;
} race_search;

/* A union of two, or what is in both. */
typedef struct {
    uint32_t one, other, found;
    int both;
} kept_union;

typedef struct {
    interner known;
    uint64_t *bits, *made;
    size_t *starts, start_room, bit_count, bit_room, made_room, access_room;
    uint32_t *of_access;
    kept_union *kept;
} unions;

/* What is watched at a state of the path: a thread, and what its next step accesses. */
typedef struct {
    int thread;
    uint32_t access;
} watched_step;

typedef struct graph {
    footprints footprints;
    interner states;
    word *words;
    size_t word_room;
    uint32_t met; /* the state that the last step has led to */
    visited_state *of;
    size_t of_room;
    numbers open; /* whose component is not known, in the order of discovery */
    numbers moves;
    state_node *nodes;
    size_t node_room;
    next_steps *next;
    size_t next_count, next_room;
    numbers outcomes, arrivals;
    lazily *lazies;
    size_t lazy_count, lazy_room, lazies_made;
    uint32_t stamp;
    thread_list *entries; /* s.current of `de_s_por.c` */
    size_t entry_count, entry_room;
    watched_step *watched;
    size_t watched_count, watched_room;
    unsigned char *entered; /* by access: whether it was entered at this traversal */
    size_t entered_room;
    uint64_t traversals, looked_at, retroactive;
    uint32_t *points_to; /* of `hybrid.c`: unions by thread and location; 0: none */
    numbers mentioned;   /* those that there are */
    unions unions;
    interner summaries, summary_sets;
    uint32_t *first_summary; /* by the number of the set */
    size_t first_room;
    executions path; /* what `path.c` needs of it: events, their pasts, and what these are made of */
    numbers traced;  /* of each event the state, by its place on the stack */
    uint64_t markings;
    race_search *searches;
    size_t search_count, search_room, searches_made;
    uint64_t paths;
} graph;

/* -- dynamic.c -- */
int graph_new(core *c);
void graph_free(core *c);
/* The memory that is in use for states and what is behind them. */
size_t graph_bytes(const graph *g);
/* The state with this row, without the columns of threads that there are not; 0 if it is not known. */
uint32_t graph_serial(core *c, const uint32_t *row, size_t length);
/* Whether the state of `c->row` is known. */
enum met graph_find(core *c);
/* Adds the state of `c->row`, or finds it. */
enum added graph_add(core *c);
/* Whether the reduction explores a thread with an invisible step alone. */
int graph_is_filtered(const core *c);
/* The state at the top of the stack is new: one thread of it is explored alone, or (0) as is chosen. */
void graph_enter(core *c, frame *f, int alone);
/* The next thread to explore at the top; 0 if those that are explored suffice. */
int graph_choose(core *c);
/* The last step has led to a known state. */
void graph_meet(core *c);
/* Whether the step that was taken leads back to the top of the stack, which is noted. */
int graph_stays(core *c);
/* Whether a step was left out at the top, since it leads back. */
int graph_has_stayed(const core *c);
/* The state at the top is left for good. */
void graph_leave(core *c);
/* The next steps of a thread that is unfinished there. */
const next_steps *next_of(const core *c, const state_node *n, int thread);
state_node *node_at_top(const core *c);
static inline int is_listed(const thread_list *list, int thread) { return (list->set & BIT(thread)) != 0; }
static inline void list_thread(thread_list *list, int thread) {
    if (is_listed(list, thread)) return;
    list->set |= BIT(thread);
    list->order[list->count++] = (unsigned char)thread;
}

/* -- source_sets.c -- */
/* The k-th thread of s.current[t] of w, which is t or waits; 0 if there are not so many. */
typedef int (*current_of)(core *c, state_node *n, int t, int w, int k);
/* Threads of which one has to be explored; none if those that are explored suffice. */
void missing_threads(core *c, state_node *n, current_of current, thread_list *found);
/* The one of them that comes first: those that lead to visited states do. */
int visited_first(core *c, state_node *n, const unsigned char *threads, int count);
int leads_to_visited(core *c, const state_node *n, int thread);

/* -- futures.c -- */
/* A move is told by its thread, its access (0: nothing that others see), how many states it leads to, and
 * these; behind the last one of a state is a 0. With the thread it is told whether the step is PLAIN, no atomic
 * block. */
enum { MOVE_HEAD = 3, PLAIN = 64 };
static inline int thread_of_move(const int32_t *move) { return move[0] & (PLAIN - 1); }
void futures_leave(core *c, const state_node *n);
/* The next move of a traversal: its thread and access; 0 if there is none. */
int traversal_next(core *c, lazily *its, uint32_t *access);
void traversal_begin(core *c, lazily *its);
int traversal_add(core *c, lazily *its, uint32_t serial);
lazily *lazy_new(core *c);
/* Begins a traversal from the states that the steps of its t lead to. */
void lazy_begin(core *c, const state_node *n, lazily *its);

/* -- unions.c -- */
int unions_new(unions *u);
void unions_free(unions *u);
uint32_t union_of_nothing(core *c);
uint32_t union_of_access(core *c, uint32_t access);
/* The same of the cells that are accessed, and the lives of objects. */
uint32_t union_of_cells(core *c, uint32_t access);
/* How many keys are touched. */
size_t union_size(const unions *u, uint32_t number);
uint32_t union_of_either(core *c, uint32_t one, uint32_t other);
uint32_t union_of_both(core *c, uint32_t one, uint32_t other);
int union_conflicts(const core *c, uint32_t number, uint32_t access);

/* -- summaries.c -- */
static inline int keeps_summaries(const core *c) {
    return c->algorithm == DL_SUMMARIES || c->algorithm == STATEFUL_DPOR;
}
void summaries_leave(core *c, const state_node *n);
/* These states, in the order of discovery, are complete, and reach one another. */
void summaries_complete(core *c, const int32_t *serials, size_t count);
/* The future of a state: threads, each with the union of what it accesses. Returns how many words. */
size_t summary_of(const core *c, uint32_t serial, word *words);
/* Finds all threads of s.current[t]. */
void summaries_look(core *c, const state_node *n, lazily *its);

/* -- ordered.c -- */
void ordered_begin(core *c, const state_node *n, lazily *its);
/* The next thread that has something in the future which is dependent, and not ordered. */
int ordered_next(core *c, const state_node *n, lazily *its);

/* -- dl_s_por.c -- */
int dl_wanted(core *c, state_node *n);

/* -- foresight.c -- */
typedef struct foresight {
    footprints footprints; /* of searches without a graph */
    int records;
    word *owner; /* static objects of cells */
    uint32_t stamp, *reached; /* by objects: when they were reached last */
    size_t reached_room;
    numbers todo;
} foresight;
static inline int has_foresight(const core *c) {
    return c->algorithm == HEAP_REACH || c->algorithm == HEAP_REACH_FIELDS || c->algorithm == HYBRID;
}
int foresight_new(core *c);
void foresight_free(core *c);
/* What the attempts of the thread's next step access together, from the state of the machine; 0: refused. */
uint32_t foresight_look(core *c, int thread);
/* As `Foresight.confined` and `.uncontended`, of a thread with this access. */
int is_confined(core *c, int thread, uint32_t access);
int is_uncontended(core *c, int thread, uint32_t access);
/* As `may_come`: whether a thread may be at the location, now or later; pcs are those of threads by their
 * numbers, ABSENT where there is none. */
int may_come(const core *c, const word *pcs, int thread, word point);

/* -- hybrid.c -- */
void hybrid_enter(core *c, state_node *n);
int hybrid_wanted(core *c, state_node *n);
void hybrid_step(core *c, state_node *n);
/* Looks at what may follow the state of `c->row`. */
void hybrid_meet(core *c);
/* The same of the state at the top. */
void hybrid_look_behind(core *c);
/* How many points-to sets there are, and how many of them are of one cell at most. */
void hybrid_counts(const graph *g, uint64_t *sets, uint64_t *determinate);

/* -- path.c -- */
/* Marks the states of the path with whose steps an attempt of the thread races. */
void path_races(core *c, int thread, uint32_t access);
/* Marks those whose steps, by others, are not known to happen before all that the thread will do. */
void path_unordered(core *c, int thread);
static inline int is_marked(const graph *g, const state_node *n) { return n->marked == g->markings; }
/* The path goes on by the step of the state at the top, whose races are marked. */
void path_step(core *c, state_node *n);
/* Takes the step back that was taken at the state. */
void path_leave(core *c, state_node *n);

/* -- stateful_dpor.c -- */
static inline int is_by_races(const core *c) { return c->algorithm == STATEFUL_DPOR; }
/* Applies what may be accessed after a visited state to the path. */
void dpor_apply(core *c, uint32_t serial);

/* -- o_dpor.c -- */
/* The threads to add, where no closed set is explored, and some would be added to one: none if all races
 * with the explored steps are reversed. */
void o_dpor_suffice(core *c, const state_node *n, thread_list *found);
void o_dpor_free(graph *g);

/* -- de_s_por.c -- */
/* Enters an attempt of a thread at the steps that it depends on: if only races count, those that are
 * marked. What is accessed together stands for the access where there is none (0). */
void de_update(core *c, int thread, uint32_t access, uint32_t together);
void de_enter(core *c, state_node *n);
void de_step(core *c, state_node *n);
void de_meet(core *c, uint32_t serial);
int de_wanted(core *c, state_node *n);
void de_leave(core *c, state_node *n);

#endif
