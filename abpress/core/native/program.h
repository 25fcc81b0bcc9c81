/* A lowered program, as `abpress/core/code.py` and `abpress/core/lower.py` write it in words. */
#ifndef ABPRESS_PROGRAM_H
#define ABPRESS_PROGRAM_H

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
    MOST_CLASSES = 8,
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
    int name_length;
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

/* A cell, or a register of a frame, in which there may be the id of a thread of a class, as a handle or as a name. */
typedef struct {
    int at, is_handle;
} id_place;

/* A cell of an object that no other thread can know: which register of the frame has its address,
 * -1 for none, and the distance from there. */
typedef struct {
    int at;
    word offset;
} own_cell;

/* `compound`: the next step may begin an atomic block. `waits`: a thread that stands here may wait for another one alone. `racing`: the kind of what it
 * is about to access, from 1 on; 0: nothing that races. `cycle`: the cycles without writes that the
 * location is on, from 1 on; 0: none. The rest is about them, as of `LoopPlace`
 * (`abpress/semantics/local_states.py`). And of threads that count as equal (`abpress/search/symmetric.py`): their class,
 * from 1 on, 0: none; whether `main` joins them here, or stands between such joins; and where their ids may be. */
typedef struct {
    word start, sort;
    int invisible, compound, waits, length, remembered, source, own_count, source_count;
    word racing, cycle;
    int *registers;
    unsigned char *pointers; /* which of its registers hold pointers, where lost memory is asked for */
    uint64_t alive;
    own_cell *own;
    word *sources;
    int joins, between, id_count;
    id_place *ids;
} location;

typedef struct {
    word cells, locations, code, objects, templates, registers, layouts, domains, locals;
    word max_threads, last_thread, pointer_bits, main, looks, racing, fields, classes; /* looks: a `looks_at` */
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
    int joins, id_count; /* whether `main` joins threads of classes, and in which cells ids may be */
    id_place *ids;
} program;

/* Which states properties look at: those that are visited, and those that races are taken back to. */
enum looks_at { NO_STATES, VISITED, PASSED };

/* Reads a program from words. Returns NULL, or what is wrong with it. */
const char *program_read(program *p, const word *words, size_t count);
void program_free(program *p);

#endif
