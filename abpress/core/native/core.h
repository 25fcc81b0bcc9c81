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

#include <stddef.h>
#include <stdint.h>

typedef int64_t word;
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 bits128;

/* Contents of cells and registers that are no numbers. A number that looks so is refused. */
#define UNDEFINED ((word)0x80005eed5eed5eedULL)
#define DEAD ((word)0x8000dead0000deadULL)

/* Where a thread stands that is at no location. */
#define DONE (-1)
#define ABSENT (-2)

#define NO_BOUND UINT64_MAX

#define OFFSET_BITS 32
#define OFFSET_MASK 0xffffffffULL
#define HALF 0x80000000ULL
#define PLAIN_LIMIT ((2ULL << OFFSET_BITS) - HALF)

enum {
    MOST_THREADS = 63,
    MOST_CHOICES = 200,
    MOST_ALTERNATIVES = 4096,
    MOST_JUMPS = 100000,
    MOST_OBJECTS = 1 << 20,
    MOST_CELLS = 1 << 16,
    MOST_OWN = 63,
    MOST_TOUCHED = 5,
    REG_TID = 0,
    REG_SPAWNS = 1,
    REG_ALLOCATIONS = 2,
    REG_ARG = 3
};

/* Operations with their operands: r register, k number, j place in the code ahead, g any place in
 * the code, p location, s cell, d domain or -1, e the same
 * or -2, t type, o static object, l local object, y layout,
 * m template, n small number. `docs/core.md` says what they do. */
#define OPERATIONS(X) \
    X(CONST, "rk") X(COPY, "rr") X(USE, "rd") \
    X(ADD, "rrrt") X(SUB, "rrrt") X(MUL, "rrrt") X(DIV, "rrrt") X(REM, "rrrt") \
    X(AND, "rrrt") X(OR, "rrrt") X(XOR, "rrrt") X(SHL, "rrrt") X(SHR, "rrrt") \
    X(NEG, "rrt") X(NOT, "rrt") \
    X(EQ, "rrr") X(NE, "rrr") X(LT, "rrrt") X(LE, "rrrt") \
    X(CONVERT, "rrtt") X(TO_POINTER, "rr") X(INSPECT, "rt") \
    X(TOLD_APART, "rr") X(ORDER, "rr") X(MOVE, "rrrn") X(DIFFERENCE, "rrr") \
    X(LOCAL, "rl") \
    X(LOAD_CELL, "rsdn") X(STORE_CELL, "sr") X(LOAD, "rret") X(STORE, "rrt") \
    X(COPY_OBJECT, "rrnn") \
    X(ENTER, "o") X(LEAVE, "o") X(ENTER_LOCAL, "l") X(LEAVE_LOCAL, "l") \
    X(UNUSED, "o") X(UNUSED_LOCAL, "l") X(ALLOC, "ryrn") X(FREE, "rn") X(HOLD, "r") X(LOSE, "") \
    X(JUMP_ZERO, "rj") X(JUMP_OTHER, "rkj") X(JUMP, "g") X(GO, "p") X(BLOCKED, "n") \
    X(OPEN_NONE, "") X(OPEN, "rn") X(OPEN_PICK, "rn") X(PICK, "rd") X(PICK_BIT, "rrt") \
    X(SPAWN, "rmr") X(JOIN, "rrn") X(LEFT, "n") X(FINISH, "rn") X(EXIT, "n") X(FAIL, "nn") X(END, "")

#define ENUM(name, operands) OP_##name,
enum operation { OPERATIONS(ENUM) OPERATION_COUNT };
#undef ENUM

typedef struct {
    int op;
    word a, b, c, d;
} instruction;

/* Scalar types as words: bits (a set of threads has 256, in 3 bytes), and flags. The last two say
 * what a result that does not fit does: it ends the execution; and a left shift does, too. */
#define TYPE_BITS(t) ((int)((t)&1023))
#define TYPE_BYTES(t) (TYPE_BITS(t) == 256 ? 3 : TYPE_BITS(t) / 8)
#define TYPE_SIGNED(t) (((t) >> 10) & 1)
#define TYPE_POINTER(t) (((t) >> 11) & 1)
#define TYPE_CHECKED(t) (((t) >> 12) & 1)
#define TYPE_STRICT(t) (((t) >> 13) & 1)
#define TYPE_KIND(t) ((t)&0xfff)

typedef struct {
    word offset, type, users; /* users: 0 tells of none, 1 of holders, 2 of those that wait */
} cell;

typedef struct {
    word size;
    int count, users;
    cell *cells;
    word *fields; /* of heap objects: as `of_cells`, behind which the one of their lives stands */
} layout;

enum { OBJECT_WORDS = 5, LEFTOVERS = 1 << 24 };

/* An object: static ones by their number, others as they are met. `slot` -1: a function, or
 * nothing. It consists of `count` elements. */
typedef struct {
    int layout, mortal, readonly, heap, automatic;
    word slot, count;
    const word *initial; /* of one element; NULL: `fill` */
    word fill;
    word name[OBJECT_WORDS]; /* of those that are met: the thread, and which of its objects */
} object;

/* Values to choose from. `loss`: 1 if there are others, which is noted; 2 if they are not known. */
typedef struct {
    int loss;
    size_t count;
    word *values;
} domain;

typedef struct {
    int layout;
    word *initial, *fields;
} local_object;

/* A cell of an object that no other thread can know: which register of the frame has its address,
 * -1 for none, and the distance from there. */
typedef struct {
    int at;
    word offset;
} own_cell;

/* `compound`: the next step may begin an atomic block. `waits`: a thread that stands here may wait for another one alone. `racing`: the kind of what it
 * is about to access, from 1 on; 0: nothing that races. `cycle`: the cycles without writes that the
 * location is on, from 1 on; 0: none. The rest is about them, as of `LoopPlace`
 * (`abpress/semantics/local_states.py`). */
typedef struct {
    word start;
    int invisible, compound, waits, length, remembered, source, own_count, source_count;
    word racing, cycle;
    int *registers;
    unsigned char *pointers; /* which of its registers hold pointers, where lost memory is asked for */
    uint64_t alive;
    own_cell *own;
    word *sources;
} location;

typedef struct {
    word cells, locations, code, objects, templates, registers, layouts, domains, locals;
    word max_threads, last_thread, pointer_bits, main, looks, racing, fields; /* looks: a `looks_at` */
} header;

/* What may be accessed later, as `FutureAccesses` (`abpress/semantics/future_accesses.py`), if it is asked
 * for: fields of cells at fixed places and of lives of static objects, from 1 on, and by the location sets of
 * bits: the fields that may be touched and written, so many words each, and locations that a thread may come
 * to. */
typedef struct {
    word *of_cells, *of_lives;
    size_t words, point_words;
    uint32_t *touched, *written, *points;
} future_accesses;

typedef struct {
    header h;
    word *content, *entries, *initials;
    location *locations;
    instruction *code;
    layout *layouts;
    object *objects;
    domain *domains;
    local_object *locals;
    future_accesses futures;
    unsigned char *races; /* of kinds of accesses: whether the two may race */
    int frame, loses; /* whether it looks for lost memory */
} program;

/* Which states properties look at: those that are visited, and those that races are taken back to. */
enum looks_at { NO_STATES, VISITED, PASSED };

/* Reads a program from words. Returns NULL, or what is wrong with it. */
const char *program_read(program *p, const word *words, size_t count);
void program_free(program *p);

/* A set of sequences of words, each with a number from 1 on in the order of their addition. */
typedef struct {
    uint32_t *slots, *ends;
    size_t mask, count, size, room, offsets, longest;
    unsigned char *bytes, *buffer;
} interner;

int interner_new(interner *set);
void interner_free(interner *set);
/* The number of a sequence, which it gets if it has none; 0 without memory. */
uint32_t interner_number(interner *set, const word *words, size_t length);
/* The sequence with a number. Returns its length. */
size_t interner_words(const interner *set, uint32_t number, word *words);
/* The number of a sequence; 0: it has none, or there is no memory. */
uint32_t interner_find(interner *set, const word *words, size_t length);
/* The memory that is in use. */
size_t interner_bytes(const interner *set);

/* Spreads what differs in some bits over all. */
static inline uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* A set of rows of numbers. A row is packed into `size` words, with so many bits for each column;
 * there is room for so many of them. */
typedef struct {
    uint32_t *rows, *other, *packed;
    unsigned char *bits;
    size_t count, room, width, size;
    size_t moves, last; /* how often the rows have moved, and where the last one was added */
    uint32_t *asked; /* packed rows that are looked up together, and the place of each */
    size_t *places, asked_count;
} table;

enum met { NEVER, ON_PATH, BEFORE, NOT_TRIED };
enum added { NO_MEMORY, KNOWN, ADDED };

/* An empty one; it may become as wide as `most`. */
int table_new(table *t, size_t width, size_t most);
void table_free(table *t);
void table_widen(table *t, size_t width);
/* Whether a row is there, and was not left. */
enum met table_find(const table *t, const uint32_t *row);
/* Adds a row. */
enum added table_add(table *t, const uint32_t *row);
/* That a row is left for good which was added there when the rows had moved so often. */
void table_leave(table *t, const uint32_t *row, size_t place, size_t moves);
size_t table_bytes(const table *t);
/* Looks up some rows, one for each thread at most, so that memory is waited for once: after the beginning
 * each is asked for (0: it is not there), then the answers come in that order. */
void table_begin(table *t);
int table_ask(table *t, const uint32_t *row);
enum met table_answer(const table *t, size_t k);

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
 * cut a thread. */
enum event {
    EVENT_FAULT, EVENT_NOTE, EVENT_VIOLATION, EVENT_COMPLETE, EVENT_DEADLOCK, EVENT_BLOCKED,
    EVENT_VISIT, EVENT_WAITS, EVENT_ACCESSES, EVENT_APART, EVENT_MISSING, EVENT_AGAIN, EVENT_CUT
};

/* Told of an event at the end of the path, of a thread; returns whether the search ends. Or asked,
 * of a thread or two kinds of accesses; returns the answer, 0 for none. */
typedef int (*listener)(int event, int one, int other);

typedef struct {
    int thread, safe, any, moving;
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

/* How a slice of a search ends. */
enum { MORE, EXHAUSTED, STOPPED, IS_REFUSED };

typedef struct core {
    program p;
    listener tell;
    enum algorithm algorithm;
    struct executions *executions; /* NULL: states are stored */
    struct graph *graph;           /* NULL: the reduction is not dynamic */
    struct hunt *hunt;             /* NULL: executions are not random */
    struct foresight *foresight;   /* NULL: nobody asks whether others can get in the way */
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
/* That the state at the top of the stack is left for good. */
void stored_leave(core *c, const frame *f);
/* The row of the state at the top of the stack. */
const uint32_t *stored_top(const core *c);
/* The column of a part of the state. */
size_t stored_column(const core *c, size_t index);
/* Changes the part of the state in a column to the one with the number. */
void stored_put(core *c, size_t column, uint32_t number);

/* -- effects.c -- */
int effects_new(core *c);
void effects_free(core *c);
/* The effect of the next step of a thread in the state at the top of the stack; NULL: it is not known. */
const effect *effect_find(const core *c, int thread);
/* Makes `c->row` of the state that the step with this effect leads to. */
void effect_row(core *c, const effect *its);
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

static inline word *thread_of(const core *c, int t) {
    return c->s + c->threads + (size_t)(t - 1) * (size_t)c->stride;
}

#endif
