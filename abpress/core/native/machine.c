/* Takes steps of threads: changes the state, and keeps what it was. */
#include <stdlib.h>
#include <string.h>

#include "memory.h"

int in_turn(core *c) {
    if (c->trial == IN_TURN) return 1;
    c->trial = FAILS;
    return 0;
}

enum outcome refuse(core *c, const char *why) {
    if (!in_turn(c)) return REFUSED;
    if (c->refusal == NULL) {
        c->refusal = why;
        c->refused_at = c->current > 0 && c->current <= MOST_THREADS ? thread_of(c, c->current)[0] : -1;
    }
    c->over = 1;
    return REFUSED;
}

/* -- changes -------------------------------------------------------------------------------- */

void machine_put(core *c, size_t index, word value) {
    if (c->s[index] == value) return;
    if (c->change_count == c->change_room) {
        size_t room = c->change_room * 2;
        change *more = realloc(c->changes, room * sizeof *more);
        if (more == NULL) {
            refuse(c, "memory is used up");
            return;
        }
        c->changes = more, c->change_room = room;
    }
    c->changes[c->change_count++] = (change){(uint32_t)index, c->s[index]};
    c->s[index] = value;
}

void machine_undo(core *c, size_t until) {
    while (c->change_count > until) {
        c->change_count--;
        c->s[c->changes[c->change_count].index] = c->changes[c->change_count].before;
    }
}

uint64_t machine_threads(const core *c) {
    uint64_t set = 0;
    if (c->s[c->status] != 0) return 0;
    for (int t = 1; t <= c->thread_count; t++)
        if (thread_of(c, t)[0] >= 0) set |= 1ULL << (t - 1);
    return set;
}

/* -- choices and notes ---------------------------------------------------------------------- */

/* One of so many alternatives; -1 if it is refused. */
static int choose(core *c, size_t width) {
    if (width == 1) return 0;
    if (!in_turn(c)) return -1;
    int n = c->taken_count;
    if (n >= MOST_CHOICES || width > INT32_MAX) {
        refuse(c, "too many choices in one step");
        return -1;
    }
    int k = n < c->prefix_length ? c->prefix[n] : 0;
    c->taken[n] = k, c->widths[n] = (int)width;
    c->taken_count = n + 1;
    return k;
}

int machine_next_choices(core *c) {
    for (int n = c->taken_count - 1; n >= 0; n--)
        if (c->taken[n] + 1 < c->widths[n]) {
            memcpy(c->prefix, c->taken, (size_t)n * sizeof *c->prefix);
            c->prefix[n] = c->taken[n] + 1;
            c->prefix_length = n + 1;
            return 1;
        }
    return 0;
}

/* Tells, once, that the reference has to look at this step of the thread. */
static void tell(core *c, int event, int thread, word at, word what) {
    if (c->silent) return;
    if (!in_turn(c)) return;
    if (c->peeks) {
        c->first_read = -1;
        return;
    }
    const word key[] = {at, thread, what};
    size_t before = c->told.count;
    if (interner_number(&c->told, key, 3) == 0)
        refuse(c, "memory is used up");
    else if (c->told.count > before && c->tell(event, thread, 0))
        c->over = 1;
}

void note(core *c, int thread, word at, word what) {
    tell(c, EVENT_NOTE, thread, at, what);
}

/* -- numbers -------------------------------------------------------------------------------- */

/* An exact result in its type. 0: it does not fit and ends the execution; -1: it is refused. */
static int fit(core *c, wide v, word type, word *result) {
    int bits = TYPE_BITS(type);
    if (bits == 256) {
        if (v > INT64_MAX || v < INT64_MIN) {
            refuse(c, "a set of more than 62 threads");
            return -1;
        }
        *result = (word)v;
    } else {
        wide half = (wide)1 << (bits - 1);
        if (TYPE_CHECKED(type) && TYPE_SIGNED(type) && (v < -half || v >= half)) return 0;
        *result = wrapped(v, bits, TYPE_SIGNED(type) != 0);
    }
    if (bits >= 64 && is_content(*result)) {
        refuse(c, "a number that the core has a use for");
        return -1;
    }
    return 1;
}

/* As `fit`; -2: undefined behaviour. */
static int binary(core *c, int op, word x, word y, word type, word *result) {
    wide a = exact(x, type), b = exact(y, type);
    int bits = TYPE_BITS(type);
    switch (op) {
    case OP_ADD: return fit(c, a + b, type, result);
    case OP_SUB: return fit(c, a - b, type, result);
    case OP_MUL: {
        wide product;
        if (__builtin_mul_overflow(a, b, &product)) { /* of unsigned 64 bits: low ones are enough */
            *result = (word)((uint64_t)x * (uint64_t)y);
            return fit(c, exact(*result, type), type, result);
        }
        return fit(c, product, type, result);
    }
    case OP_DIV:
    case OP_REM:
        if (b == 0) return -2;
        if (bits == 256 && (a < 0 || b < 0)) {
            refuse(c, "a set of more than 62 threads");
            return -1;
        }
        if (op == OP_DIV) return fit(c, a / b, type, result);
        if (b == -1 && TYPE_SIGNED(type) && TYPE_CHECKED(type) && a == -((wide)1 << (bits - 1)))
            return 0;
        return fit(c, a % b, type, result);
    case OP_AND: return fit(c, exact(x & y, type), type & ~(word)(1 << 12), result);
    case OP_OR: return fit(c, exact(x | y, type), type & ~(word)(1 << 12), result);
    case OP_XOR: return fit(c, exact(x ^ y, type), type & ~(word)(1 << 12), result);
    case OP_SHL:
    case OP_SHR: {
        if (y < 0 || y >= bits) return -2;
        if (op == OP_SHR && bits == 256 && a < 0) {
            refuse(c, "a set of more than 62 threads");
            return -1;
        }
        int by = (int)y;
        if (op == OP_SHR) return fit(c, by > 63 ? (wide)(a < 0 ? -1 : 0) : a >> by, type, result);
        if (by >= 62 && bits == 256) {
            if (a == 0) return fit(c, 0, type, result);
            refuse(c, "a set of more than 62 threads");
            return -1;
        }
        wide moved = (wide)((bits128)a << by);
        if (TYPE_STRICT(type) && moved > 0 && moved >= (wide)1 << (bits - 1)) return 0;
        return fit(c, moved, type & ~(word)(1 << 12), result);
    }
    default: return refuse(c, "an operation"), -1;
    }
}

static int less(word x, word y, word type) {
    return TYPE_SIGNED(type) ? x < y : (uint64_t)x < (uint64_t)y;
}

/* -- threads -------------------------------------------------------------------------------- */

/* The id of the n-th thread that a thread creates; 0 if it is refused. */
static int child(core *c, int creator, word n) {
    for (int t = 2; t <= c->thread_count; t++)
        if (c->creators[t] == creator && c->numbers[t] == n) return t;
    if (!in_turn(c)) return 0;
    if (c->thread_count == MOST_THREADS || n > INT32_MAX) return refuse(c, "more than 63 threads"), 0;
    int t = ++c->thread_count;
    c->creators[t] = creator, c->numbers[t] = (int)n;
    return t;
}

/* Puts the thread where it begins; of its registers only its argument has a value. */
static void begin(core *c, int thread, word pc, word argument) {
    const location *l = &c->p.locations[pc];
    size_t base = (size_t)(thread_of(c, thread) - c->s);
    machine_put(c, base, pc);
    for (int k = 0; k < l->length; k++) {
        int r = l->registers[k];
        word first = r == REG_ARG ? argument : r == REG_SPAWNS || r == REG_ALLOCATIONS ? 0 : UNDEFINED;
        machine_put(c, base + 1 + (size_t)k, first);
    }
}

static void end_program(core *c, word status) {
    if (c->records) record_end(c);
    machine_put(c, c->status, status + 1);
    for (int t = 1; t <= c->thread_count; t++)
        machine_put(c, (size_t)(thread_of(c, t) - c->s), ABSENT);
}

static int present(const core *c) {
    int n = 0;
    for (int t = 1; t <= c->thread_count; t++) n += thread_of(c, t)[0] != ABSENT;
    return n;
}

/* -- steps ---------------------------------------------------------------------------------- */

static word picked(core *c, int thread, word at, const domain *d, enum outcome *out) {
    *out = STEPS;
    if (d->loss == 2) {
        *out = refuse(c, "an input of many values, or a set of threads that is one");
        return 0;
    }
    if (d->loss) note(c, thread, at, -1);
    if (d->count == 0) {
        *out = ASSUMES;
        return 0;
    }
    int k = choose(c, d->count);
    if (k < 0 || (size_t)k >= d->count) {
        *out = refuse(c, "a choice");
        return 0;
    }
    return d->values[k];
}

/* How a step ends early. */
#define FAULT(what) return tell(c, EVENT_FAULT, t, at, (word)(what)), ASSUMES
/* The same at an access of so many bytes, NOTE(failed-accesses). */
#define FAILED(pointer, size, what)                                             \
    do {                                                                        \
        if (c->records) record_failed(c, (pointer), (uint64_t)(size));          \
        FAULT(what);                                                            \
    } while (0)
#define FAILED_WHOLE(number)                                                    \
    FAILED((word)((uint64_t)(number) << OFFSET_BITS), HALF - 1, number)
#define PICKED(value, d)                                                        \
    do {                                                                        \
        enum outcome its_;                                                      \
        if ((d) < 0) FAULT(-2);                                                 \
        (value) = picked(c, t, at, &p->domains[d], &its_);                      \
        if (its_ != STEPS) return its_;                                         \
    } while (0)

/* Ends an attempt that is made to see what is read first. */
static enum outcome peeked(core *c, word content) {
    c->first_read = content > 0 && content <= c->thread_count ? (int)content : -(content == UNDEFINED);
    return NOTHING;
}

#define NOT_CLEAR                                                               \
    if (c->peeks) {                                                             \
        c->first_read = -1;                                                     \
        return NOTHING;                                                         \
    }

static word counted(word n) { return (word)((uint64_t)n + 1); }

static enum outcome run(core *c, int t, word at) {
    program *p = &c->p;
    word *r = c->registers;
    size_t base = (size_t)(thread_of(c, t) - c->s);
    int jumps = 0, opened = 0;
    for (;; at++) {
        const instruction *i = &p->code[at];
        switch ((enum operation)i->op) {
        case OP_CONST: r[i->a] = i->b; break;
        case OP_COPY: r[i->a] = r[i->b]; break;
        case OP_USE:
            if (r[i->a] == UNDEFINED) PICKED(r[i->a], i->b);
            break;
        case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_REM: case OP_AND: case OP_OR:
        case OP_XOR: case OP_SHL: case OP_SHR: {
            int its = binary(c, i->op, r[i->b], r[i->c], i->d, &r[i->a]);
            if (its == -1) return REFUSED;
            if (its != 1) FAULT(its);
            break;
        }
        case OP_NEG: {
            int its = fit(c, -exact(r[i->b], i->c), i->c, &r[i->a]);
            if (its == -1) return REFUSED;
            if (its != 1) FAULT(its);
            break;
        }
        case OP_NOT:
            if (fit(c, exact(~r[i->b], i->c), i->c & ~(word)(1 << 12), &r[i->a]) != 1) return REFUSED;
            break;
        case OP_EQ: r[i->a] = r[i->b] == r[i->c]; break;
        case OP_NE: r[i->a] = r[i->b] != r[i->c]; break;
        case OP_LT: r[i->a] = less(r[i->b], r[i->c], i->d); break;
        case OP_LE: r[i->a] = !less(r[i->c], r[i->b], i->d); break;
        case OP_CONVERT:
            if (fit(c, exact(r[i->b], i->c), i->d & ~(word)(1 << 12), &r[i->a]) != 1) return REFUSED;
            break;
        case OP_TO_POINTER:
            if ((uint64_t)r[i->b] >= PLAIN_LIMIT) return refuse(c, "an integer used as an address");
            r[i->a] = wrapped(r[i->b], (int)p->h.pointer_bits, 0);
            break;
        case OP_INSPECT:
            if (r[i->a] < (word)PLAIN_LIMIT) break; /* or a negative integer of 64 bits */
            if (TYPE_BITS(i->b) >= 64) return refuse(c, "an address inspected");
            FAULT(r[i->a]);
        case OP_TOLD_APART: {
            NOT_CLEAR
            word x = r[i->a], y = r[i->b];
            const object *o = object_of(c, x), *u = object_of(c, y);
            if (x == y || o == NULL || u == NULL || o == u || !o->mortal || !u->mortal) break;
            if (c->records) record_observed(c, o), record_observed(c, u);
            if (!alive(c, o) || !alive(c, u)) note(c, t, at, 0);
            break;
        }
        case OP_ORDER:
            if (((uint64_t)r[i->a] ^ (uint64_t)r[i->b]) >> OFFSET_BITS) note(c, t, at, 0);
            break;
        case OP_MOVE: {
            uint64_t from = (uint64_t)r[i->b];
            if (r[i->b] < 0) return refuse(c, "an integer used as an address");
            word by = r[i->c];
            if (from < PLAIN_LIMIT) {
                word sum = wrapped((wide)from + (wide)by, (int)p->h.pointer_bits, 0);
                if ((uint64_t)sum >= PLAIN_LIMIT || (i->d && from >> 32))
                    return refuse(c, "an integer used as an address");
                r[i->a] = sum;
                break;
            }
            uint64_t to = from + (uint64_t)by;
            if ((to + HALF) >> OFFSET_BITS != (from + HALF) >> OFFSET_BITS)
                to = from + (uint64_t)wrapped(by, (int)p->h.pointer_bits, 1);
            if ((to + HALF) >> OFFSET_BITS != (from + HALF) >> OFFSET_BITS) {
                if (i->d) return refuse(c, "an address far out of bounds");
                FAULT(0);
            }
            r[i->a] = (word)to;
            break;
        }
        case OP_DIFFERENCE: {
            uint64_t x = (uint64_t)r[i->b], y = (uint64_t)r[i->c];
            if ((x + HALF) >> OFFSET_BITS != (y + HALF) >> OFFSET_BITS &&
                (x >= PLAIN_LIMIT || y >= PLAIN_LIMIT))
                return refuse(c, "a difference of unrelated pointers");
            r[i->a] = (word)(x - y);
            break;
        }
        case OP_LOCAL: {
            size_t number = local_object_of(c, t, i->b);
            if (number == 0) return REFUSED;
            r[i->a] = (word)((uint64_t)number << OFFSET_BITS);
            break;
        }
        case OP_LOAD_CELL: {
            word v = c->s[i->b];
            if (c->records) record_read(c, (size_t)i->b);
            if (v == DEAD) FAULT(0);
            if (c->peeks) return peeked(c, v);
            if (v == UNDEFINED && !i->d) {
                PICKED(v, i->c);
                machine_put(c, (size_t)i->b, v);
                if (c->records) record_write(c, (size_t)i->b);
            }
            r[i->a] = v;
            break;
        }
        case OP_STORE_CELL:
            if (c->s[i->a] == DEAD) {
                if (c->records) record_read(c, (size_t)i->a);
                FAULT(0);
            }
            machine_put(c, (size_t)i->a, r[i->b]);
            if (c->records) record_write(c, (size_t)i->a);
            break;
        case OP_LOAD: {
            size_t index = 0;
            word its = i->d, v = 0;
            enum place where = cell_at(c, r[i->b], i->d, 0, &index, &its);
            int apart = where == UNABLE;
            if (apart) {
                NOT_CLEAR
                where = memory_load(c, r[i->b], i->d, &v);
                if (where == UNABLE) return REFUSED;
            }
            if (where == FAULTY) FAILED(r[i->b], TYPE_BITS(i->d) / 8, r[i->b]);
            if (!apart) {
                v = c->s[index];
                if (c->records) record_read(c, index);
                if (c->peeks) return peeked(c, v);
            }
            if (v == UNDEFINED && i->c != -2) {
                PICKED(v, i->c);
                if (apart) {
                    where = memory_store(c, r[i->b], i->d, v);
                    if (where == UNABLE) return REFUSED;
                    if (where == FAULTY) FAILED(r[i->b], TYPE_BITS(i->d) / 8, r[i->b]);
                } else {
                    machine_put(c, index, converted(v, i->d, its));
                    if (c->records) record_write(c, index);
                }
            } else {
                v = converted(v, its, i->d);
            }
            r[i->a] = v;
            break;
        }
        case OP_STORE: {
            size_t index = 0;
            word its = 0;
            enum place where = cell_at(c, r[i->a], i->c, 1, &index, &its);
            if (where == FOUND) {
                machine_put(c, index, converted(r[i->b], i->c, its));
                if (c->records) record_write(c, index);
                break;
            }
            NOT_CLEAR
            if (where == UNABLE) where = memory_store(c, r[i->a], i->c, r[i->b]);
            if (where == UNABLE) return REFUSED;
            if (where == FAULTY) FAILED(r[i->a], TYPE_BITS(i->c) / 8, r[i->a]);
            break;
        }
        case OP_COPY_OBJECT: {
            NOT_CLEAR
            word size = i->d ? memory_moved(c, r[i->a], r[i->b], i->c) : i->c;
            if (size < 0) FAILED(r[i->b], 0, r[i->b]);
            enum place where = memory_copy(c, r[i->a], r[i->b], size);
            if (where == UNABLE) return REFUSED;
            if (where == FAULTY) {
                if (c->records) record_failed(c, r[i->b], (uint64_t)size);
                FAILED(r[i->a], size, r[i->a]);
            }
            break;
        }
        case OP_ENTER:
            NOT_CLEAR
            enter_object(c, &c->objects[i->a]);
            break;
        case OP_LEAVE:
            NOT_CLEAR
            leave_object(c, &c->objects[i->a]);
            break;
        case OP_ENTER_LOCAL:
        case OP_LEAVE_LOCAL:
        case OP_UNUSED_LOCAL: {
            NOT_CLEAR
            size_t number = local_object_of(c, t, i->a);
            if (number == 0) return REFUSED;
            const object *o = &c->objects[number];
            if (i->op == OP_ENTER_LOCAL) enter_object(c, o);
            else if (i->op == OP_LEAVE_LOCAL) leave_object(c, o);
            else if (object_in_use(c, o)) FAILED_WHOLE(number);
            break;
        }
        case OP_UNUSED:
            NOT_CLEAR
            if (object_in_use(c, &c->objects[i->a])) FAILED_WHOLE(i->a);
            break;
        case OP_ALLOC: {
            NOT_CLEAR
            word count = r[i->c], n = r[REG_ALLOCATIONS] = counted(r[REG_ALLOCATIONS]);
            const layout *l = &p->layouts[i->b];
            if (count <= 0 || count > MOST_CELLS / l->count || count > (word)(HALF / 2) / l->size)
                return refuse(c, "an object of no cells, or of many");
            const word name[] = {t, n, i->b, count, i->d};
            object made = {.layout = (int)i->b, .mortal = 1, .heap = 1, .automatic = (int)(i->d >> 1 & 1),
                           .count = count, .fill = i->d & 1 ? 0 : UNDEFINED};
            size_t number = named_object(c, name, 5, made);
            if (number == 0) return REFUSED;
            enter_object(c, &c->objects[number]);
            r[i->a] = (word)((uint64_t)number << OFFSET_BITS);
            break;
        }
        case OP_FREE: {
            NOT_CLEAR
            word q = r[i->a];
            if (q == 0) break;
            const object *o = object_of(c, q);
            if (o == NULL || !o->heap || ((uint64_t)q & OFFSET_MASK) || o->automatic != i->b ||
                !alive(c, o) || object_in_use(c, o))
                FAILED(q, 0, q);
            leave_object(c, o);
            break;
        }
        case OP_JUMP_ZERO:
            if (r[i->a] == 0) at = i->b - 1;
            break;
        case OP_JUMP_OTHER:
            if (r[i->a] != i->b) at = i->c - 1;
            break;
        case OP_JUMP:
            if (++jumps > MOST_JUMPS) return refuse(c, "an atomic block that may not end");
            at = i->a - 1;
            break;
        case OP_GO: {
            const location *l = &p->locations[i->a];
            machine_put(c, base, i->a);
            for (int k = 0; k < l->length; k++) machine_put(c, base + 1 + (size_t)k, r[l->registers[k]]);
            return STEPS;
        }
        case OP_BLOCKED: return i->a ? AWAITS : ASSUMES;
        case OP_OPEN_NONE: opened = 0; break;
        case OP_OPEN:
            if (r[i->a] != 0 && opened < 63) c->open[opened++] = (int)i->b;
            break;
        case OP_OPEN_PICK: {
            if (opened == 0) {
                if (i->b == 2) return refuse(c, "no guard holds");
                return i->b ? AWAITS : ASSUMES;
            }
            int k = choose(c, (size_t)opened);
            if (k < 0 || k >= opened) return refuse(c, "a choice");
            r[i->a] = c->open[k];
            break;
        }
        case OP_PICK: PICKED(r[i->a], i->b); break;
        case OP_PICK_BIT: {
            uint64_t mask = (uint64_t)r[i->b];
            if (TYPE_BITS(i->c) == 256 && r[i->b] < 0) return refuse(c, "a set of more than 62 threads");
            if (TYPE_BITS(i->c) < 64) mask &= (1ULL << TYPE_BITS(i->c)) - 1;
            if (mask == 0) {
                r[i->a] = 0;
                break;
            }
            int k = choose(c, (size_t)__builtin_popcountll(mask));
            if (k < 0 || k >= __builtin_popcountll(mask)) return refuse(c, "a choice");
            while (k-- > 0) mask &= mask - 1;
            mask &= ~mask + 1;
            r[i->a] = TYPE_BITS(i->c) == 256 ? (word)mask
                                             : wrapped((wide)mask, TYPE_BITS(i->c), TYPE_SIGNED(i->c) != 0);
            break;
        }
        case OP_SPAWN: {
            NOT_CLEAR
            word argument = r[i->c];
            if (present(c) >= p->h.max_threads) FAULT(0);
            r[REG_SPAWNS] = counted(r[REG_SPAWNS]);
            int other = child(c, t, r[REG_SPAWNS]);
            if (other == 0) return REFUSED;
            r[i->a] = other;
            if (p->h.last_thread != 0 && other > p->h.last_thread) FAULT(1);
            begin(c, other, p->entries[i->b], argument);
            if (c->records) record_thread(c, other, 1);
            break;
        }
        case OP_JOIN: {
            word other = r[i->b];
            if (other < 1 || other > c->thread_count || thread_of(c, (int)other)[0] == ABSENT)
                FAULT(other);
            if (c->peeks) return peeked(c, other);
            if (c->records) record_thread(c, (int)other, 0);
            if (thread_of(c, (int)other)[0] != DONE) return AWAITS;
            r[i->a] = thread_of(c, (int)other)[1];
            break;
        }
        case OP_FINISH:
            NOT_CLEAR
            note_held(c, t, at);
            if (c->records) record_thread(c, t, 1);
            machine_put(c, base, DONE);
            machine_put(c, base + 1, r[i->a]);
            return c->violation != 0 ? VIOLATES : STEPS;
        case OP_LEFT: note_left(c, t, i->a != 0); break;
        case OP_EXIT:
            end_program(c, i->a);
            return c->violation != 0 ? VIOLATES : STEPS;
        case OP_FAIL:
            end_program(c, i->b);
            c->violation = (int)i->a + 1;
            return VIOLATES;
        case OP_END: FAULT(0);
        case OPERATION_COUNT: return refuse(c, "an operation");
        }
    }
}

enum outcome machine_step(core *c, int thread) {
    const word *its = thread_of(c, thread);
    const location *l = &c->p.locations[its[0]];
    c->taken_count = 0;
    c->violation = 0;
    c->current = thread;
    c->registers[REG_TID] = thread;
    for (int k = 0; k < l->length; k++) c->registers[l->registers[k]] = its[1 + k];
    size_t before = c->change_count;
    enum outcome found = run(c, thread, l->start);
    if (c->refusal != NULL) found = REFUSED;
    if (found != STEPS && found != VIOLATES) machine_undo(c, before);
    return found;
}

int machine_first_read(core *c, int thread) {
    c->prefix_length = 0;
    c->first_read = -1;
    c->peeks = 1;
    size_t before = c->change_count;
    machine_step(c, thread);
    machine_undo(c, before);
    c->peeks = 0;
    return c->first_read;
}

int machine_new(core *c) {
    const header *h = &c->p.h;
    c->stride = 2 + c->p.frame; /* the last one is what the thread remembers, see awaits.c */
    c->status = (size_t)h->cells;
    c->threads = c->status + 1;
    c->dynamic = c->top = c->threads + (size_t)MOST_THREADS * (size_t)c->stride;
    c->room = c->dynamic + MOST_CELLS;
    c->s = malloc(c->room * sizeof *c->s);
    c->registers = calloc((size_t)h->registers, sizeof *c->registers);
    c->change_room = 1 << 12;
    c->changes = malloc(c->change_room * sizeof *c->changes);
    c->object_count = (size_t)h->objects;
    c->object_room = c->object_count + 64;
    c->objects = calloc(c->object_room, sizeof *c->objects);
    if (!c->s || !c->registers || !c->changes || !c->objects || !interner_new(&c->names) ||
        !interner_new(&c->told) || !interner_new(&c->leftovers))
        return 0;
    memcpy(c->objects, c->p.objects, c->object_count * sizeof *c->objects);
    for (size_t k = 2; k < c->object_count; k++)
        c->used += c->objects[k].slot >= 0 && c->p.layouts[c->objects[k].layout].users;
    for (size_t k = 0; k < c->room; k++) c->s[k] = DEAD;
    memcpy(c->s, c->p.content, (size_t)h->cells * sizeof *c->s);
    c->s[c->status] = 0;
    for (size_t k = c->threads; k < c->dynamic; k++) c->s[k] = ABSENT;
    c->thread_count = 1;
    begin(c, 1, c->p.entries[h->main], UNDEFINED);
    c->change_count = 0;
    return 1;
}

void machine_free(core *c) {
    free(c->s), free(c->registers), free(c->changes), free(c->objects);
    interner_free(&c->names);
    interner_free(&c->told), interner_free(&c->leftovers);
    free(c->allocated);
}
