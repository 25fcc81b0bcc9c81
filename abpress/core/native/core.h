/* The native core: searches the states, or the executions, of a lowered program
 * (`abpress/core/lower.py`).
 *
 * It has the words of the Python search: a step is taken by a thread, choices resolve what is
 * arbitrary in it, and a state on the stack has not been left for good. What it cannot do it
 * refuses, and the whole search is done by the reference. What is to be told to people (a violation,
 * undefined behaviour, an end) is told to a listener, which has the reference repeat it.
 */
#ifndef ABPRESS_CORE_H
#define ABPRESS_CORE_H

#include "program.h"
#include "sets.h"

typedef struct {
    uint32_t index;
    word before;
} change;

/* What comes of an attempt to take a step. */
enum outcome { STEPS, AWAITS, ASSUMES, VIOLATES, REFUSED, NOTHING, RETURNS }; /* to a known state */

/* What the listener is told: undefined behaviour and the like that ends an attempt, or does not; a
 * step that violates a property; the ends of executions; and a state that properties may look at. It
 * is asked whether it knows once for all, of a thread as it stands, whom it would wait for; and what
 * it is about to access, as a number from 1 on; and whether such accesses are known not to race. Of
 * a part of a tree it is told which node before it needs a branch, and of how many threads one; and
 * that the search begins again, so that what was told before is told once more; and of a bound that has
 * cut a thread. And it is asked which threads `main` joins after a step of a thread from the top, or at the beginning: it
 * answers whether that can be told, and by `core_joins`. */
enum event {
    EVENT_FAULT, EVENT_NOTE, EVENT_VIOLATION, EVENT_COMPLETE, EVENT_DEADLOCK, EVENT_BLOCKED,
    EVENT_VISIT, EVENT_WAITS, EVENT_ACCESSES, EVENT_APART, EVENT_MISSING, EVENT_AGAIN, EVENT_CUT, EVENT_JOINS
};

/* Told of an event at the end of the path, of a thread; returns whether the search ends. Or asked,
 * of a thread or two kinds of accesses; returns the answer, 0 for none. */
typedef int (*listener)(int event, int one, int other);

typedef struct {
    int thread, safe, any, moving, put_off; /* `put_off`: `main` does not join here yet */
    uint64_t threads; /* that are left to explore; bit t - 1 is thread t */
    size_t changes, alternatives, next, left, chosen; /* in the arenas; `chosen` from 1 on */
    uint64_t ahead, still, known; /* threads whose step was tried, that have none, and to known states */
    size_t place, moves; /* of the row, when it was added */
} frame;

/* What a step of a thread does to a row: of the columns that it touches, and of its own, the numbers
 * before and after. */
typedef struct {
    uint64_t columns;
    uint32_t frame, frame_after; /* 0: this is none */
    short thread, count; /* of the columns but its own */
    enum outcome found;
    uint32_t before[MOST_TOUCHED], after[MOST_TOUCHED];
} effect;

/* Effects that were met, by a hash of what they depend on; one takes the place of another. `touched`:
 * the columns that steps have touched, by the number of the frame. */
typedef struct {
    effect *all;
    size_t mask, misses;
    uint64_t *touched, touches;
    size_t frames;
} effects;

/* What is to be followed to find lost memory, and which objects were found. */
typedef struct {
    word *todo;
    unsigned char *marks;
    size_t count, room, mark_room;
} losses;

/* Whether a step is taken in its turn; else it is tried, and fails where that could be noticed. */
enum trial { IN_TURN, TRIES, FAILS };

/* The searches: with stored states, of all threads, those of s-por and its extensions by what the heap tells,
 * or those that dynamic reductions ask for; and without, by the names of `abpress/reductions/table.py`;
 * and the random one of `hunt.h`. */
enum algorithm {
    STATES, S_POR, HEAP_REACH, HEAP_REACH_FIELDS, DE_S_POR, DE_POR, DL_S_POR, DL_POR, DL_SUMMARIES, DL_HB,
    STATEFUL_DPOR, O_DPOR, HYBRID, INTERLEAVINGS, SLEEP, PERSISTENT, SOURCE, CONTEXTS, OPTIMAL,
    OPTIMAL_CONTEXTS, OBSERVERS, OBSERVED_CONTEXTS, RANDOM, ALGORITHM_COUNT
};

/* How a slice of a search ends; the last one: threads that count as equal are not. */
enum { MORE, EXHAUSTED, STOPPED, IS_REFUSED, TOLD_APART };

typedef struct core {
    program p;
    listener tell;
    enum algorithm algorithm;
    struct executions *executions; /* NULL: states are stored */
    struct graph *graph;           /* NULL: the reduction is not dynamic */
    struct hunt *hunt;             /* NULL: executions are not random */
    struct foresight *foresight;   /* NULL: nobody asks whether others can get in the way */
    struct common *common;         /* NULL: no other search has the same states */
    struct symmetric *symmetric;   /* NULL: no threads count as equal */
    int over, full;
    const char *refusal;
    word refused_at;
    /* the machine */
    word *s, *registers;
    size_t status, threads, dynamic, top, room;
    int stride, thread_count;
    int creators[MOST_THREADS + 1], numbers[MOST_THREADS + 1];
    object *objects;
    interner names; /* of the objects beyond the static ones */
    size_t object_count, object_room, used;
    change *changes;
    size_t change_count, change_room;
    int prefix[MOST_CHOICES], taken[MOST_CHOICES], widths[MOST_CHOICES];
    int prefix_length, taken_count;
    int violation, current; /* what is violated: of FAIL its number, or from LEFTOVERS on */
    interner leftovers; /* sets of objects that the program leaves, or has lost */
    word *allocated, *held; /* `held`: pointers in registers of the step */
    size_t allocated_room, held_count;
    losses losses;
    int peeks, first_read, records, silent;
    enum trial trial;
    int open[64];
    /* the states */
    interner memory, heap, frames;
    table states;
    size_t chunk, chunks, columns;
    uint32_t *row, *found, *rows; /* `rows`: of the states on the stack */
    size_t found_room, rows_room;
    effects effects;
    word *decoded; /* a part of the state */
    int row_made; /* `row` is of the state that a step has led to */
    /* the search */
    frame *stack;
    size_t depth, stack_room;
    int *alternatives;
    size_t alternative_count, alternative_room;
    enum outcome pending;
    uint64_t steps, thread_choices, complete, deadlocked, blocked, violating, max_depth;
    /* what other searches have in common with it */
    size_t added;        /* states, by this one */
    uint64_t told_added; /* that are counted there */
    int begins, waits;
    uint32_t *asked_rows; /* that are looked for together, and where */
    void *asked_shards[MOST_THREADS];
    int by_name[MOST_THREADS];
    struct returning *returning; /* NULL: a stack tells of cycles */
    /* what was told */
    unsigned char *ended_at;
    int told_complete, told_deadlock, told_blocked;
    interner told;
    /* the states that properties look at */
    interner asked;
    int *answers; /* by the numbers in `asked` */
    size_t answer_room;
} core;

/* -- machine.c -- */
int machine_new(core *c);
void machine_free(core *c);
enum outcome machine_step(core *c, int thread);
void machine_undo(core *c, size_t until);
uint64_t machine_threads(const core *c);
/* Changes a part of the state. */
void machine_put(core *c, size_t index, word value);
/* The next sequence of choices after the one that was taken becomes the prefix; 0 after the last. */
int machine_next_choices(core *c);
/* The thread that is named by what the thread reads first: 0 if none is, -1 if that is not clear. */
int machine_first_read(core *c, int thread);
enum outcome refuse(core *c, const char *why);
/* Whether a step may do what is noticed; one that is only tried fails there. */
int in_turn(core *c);

/* -- stored.c -- */
int stored_new(core *c);
void stored_free(core *c);
/* Makes `c->row` of the state, which differs from the one at the top of the stack by the changes from
 * `since` on; from scratch if there is none. 0: without memory. */
int stored_row(core *c, size_t since);
/* Keeps `c->row`, which comes to the top of the stack. 0: without memory. */
int stored_push(core *c);
/* Room on the stack for so many rows, of so many threads at least. 0: without memory. */
int stored_room(core *c, size_t count, size_t columns);
/* That the state at the top of the stack is left for good. */
void stored_leave(core *c, const frame *f);
/* The row of the state at the top of the stack. */
static inline const uint32_t *stored_top(const core *c) { return c->rows + (c->depth - 1) * c->states.width; }
/* The column of a part of the state. */
size_t stored_column(const core *c, size_t index);
/* Changes the part of the state in a column, which is the one with the number `before`. */
void stored_put(core *c, size_t column, uint32_t before, uint32_t number);

/* -- effects.c -- */
int effects_new(core *c);
void effects_free(core *c);
/* The effect of the next step of a thread in the state at the top of the stack; NULL: it is not known. */
const effect *effect_find(const core *c, int thread);
/* Makes `c->row` of the state that the step with this effect leads to. */
void effect_row(core *c, const effect *its);
/* Asks the states for that row, of a search that has them for itself and whose newest state is at the top of
 * the stack. 0: it is not there. */
int effect_ask(core *c, const effect *its);
/* Takes the step with this effect, in the state at the top of the stack, too. */
void effect_take(core *c, const effect *its);
/* Whether what the thread's next step touches can be recorded. Then the step follows, which touches
 * places, or something else; and is kept, with `c->row` behind it if it is one. */
int effect_begin(core *c, int thread);
void effect_touch(core *c, size_t index);
void effect_touch_object(core *c, const object *o);
void effect_touch_thread(core *c, int thread, int writes);
void effect_end(core *c);
void effect_keep(core *c, int thread, enum outcome found);
size_t effects_bytes(const core *c);

/* -- ahead.c -- */
/* Tries the step of a thread: whether the state that it leads to is known. */
enum met ahead_one(core *c, frame *f, int thread);
/* Tries the steps of all threads that are left. */
void ahead_all(core *c, frame *f);

/* -- search.c -- */
int search_new(core *c);
void search_free(core *c);
/* Goes on for so many steps; not beyond so many states, but for some steps. */
int search_run(core *c, uint64_t most_steps, uint64_t most_states);
/* How many states are stored. */
size_t states_stored(const core *c);
/* Makes the list of the thread's alternatives, which its first attempt has shown to have several: of equal
 * outcomes the first, which are `c->found`. Returns their number, -1 if it is refused; `why` if there is
 * none. */
int enumerate(core *c, frame *f, int thread, enum outcome first, enum outcome *why);
/* Adds the choices of the last attempt to the alternatives; 0: without memory. */
int keep_choices(core *c);
/* The frame of `c->row` comes to the top of the stack. NULL: without memory. */
frame *push_frame(core *c);
/* The next step from the top of the stack: it is taken. */
enum outcome next_step(core *c, frame *f);
/* The first thread that goes on alone, by the first test that some thread passes and suffices; 0: none. */
int goes_alone(core *c, frame *f);

/* -- telling.c -- */
/* Counts an execution that ends at the top, where `all` threads that there are wait for others. It
 * is told if it is the first of its kind, or if a thread stands where none has stood in those that
 * were told, until one completes. */
void tell_end(core *c, uint64_t threads, int all);
/* Counts an execution that ends with a violation by the thread; it is told once. */
void tell_violation(core *c, int thread);

/* -- looking.c -- */
/* Tells of the state of the machine, if that has to be; with stored states it is that at the top of
 * the stack, of which `c->row` is made. */
void look(core *c);
/* An answer of the reference, which is kept by a key of three words; 0 as long as it knows none. `asks`: it is asked
 * if there is none. */
int answer(core *c, enum event event, int one, int other, const word *key, int asks);

static inline word *thread_of(const core *c, int t) {
    return c->s + c->threads + (size_t)(t - 1) * (size_t)c->stride;
}

#endif
