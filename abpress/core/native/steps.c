/* The code of steps: what each operation does. */
#include "hunt.h"

static word picked(core *c, int thread, word at, size_t number, enum outcome *out) {
    const domain *d = &c->p.domains[number];
    *out = STEPS;
    if (d->loss == 2) {
        *out = refuse(c, "an input of many values, or a set of threads that is one");
        return 0;
    }
    if (c->hunt != NULL) return hunt_pick(c, number, out);
    if (d->loss) note(c, thread, at, -1);
    if (d->count == 0) {
        *out = ASSUMES;
        return 0;
    }
    int k = machine_choose(c, d->count);
    if (k < 0 || (size_t)k >= d->count) {
        *out = refuse(c, "a choice");
        return 0;
    }
    return d->values[k];
}

/* How a step ends early. */
#define FAULT(what) return machine_tell(c, EVENT_FAULT, t, at, (word)(what)), ASSUMES
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
        (value) = picked(c, t, at, (size_t)(d), &its_);                         \
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

enum outcome machine_run(core *c, int t, word at) {
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
            int its = number_binary(c, i->op, r[i->b], r[i->c], i->d, &r[i->a]);
            if (its == -1) return REFUSED;
            if (its != 1) FAULT(its);
            break;
        }
        case OP_NEG: {
            int its = number_fits(c, -exact(r[i->b], i->c), i->c, &r[i->a]);
            if (its == -1) return REFUSED;
            if (its != 1) FAULT(its);
            break;
        }
        case OP_NOT:
            if (number_fits(c, exact(~r[i->b], i->c), i->c & ~(word)(1 << 12), &r[i->a]) != 1) return REFUSED;
            break;
        case OP_EQ: r[i->a] = r[i->b] == r[i->c]; break;
        case OP_NE: r[i->a] = r[i->b] != r[i->c]; break;
        case OP_LT: r[i->a] = number_less(r[i->b], r[i->c], i->d); break;
        case OP_LE: r[i->a] = !number_less(r[i->c], r[i->b], i->d); break;
        case OP_CONVERT:
            if (number_fits(c, exact(r[i->b], i->c), i->d & ~(word)(1 << 12), &r[i->a]) != 1) return REFUSED;
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
            if (where == FAULTY) FAILED(r[i->b], TYPE_BYTES(i->d), r[i->b]);
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
                    if (where == FAULTY) FAILED(r[i->b], TYPE_BYTES(i->d), r[i->b]);
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
            if (where == FAULTY) FAILED(r[i->a], TYPE_BYTES(i->c), r[i->a]);
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
        case OP_HOLD:
            if (c->held_count < (size_t)p->h.registers) c->held[c->held_count++] = r[i->a];
            break;
        case OP_LOSE: {
            NOT_CLEAR
            int lost = find_lost(c, t, at, 0);
            c->held_count = 0;
            if (lost) return VIOLATES;
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
            int k = machine_choose(c, (size_t)opened);
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
            int k = machine_choose(c, (size_t)__builtin_popcountll(mask));
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
            if (machine_present(c) >= p->h.max_threads) FAULT(0);
            r[REG_SPAWNS] = counted(r[REG_SPAWNS]);
            int other = machine_child(c, t, r[REG_SPAWNS]);
            if (other == 0) return REFUSED;
            r[i->a] = other;
            if (p->h.last_thread != 0 && other > p->h.last_thread) FAULT(1);
            machine_begin(c, other, p->entries[i->b], argument);
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
            if (!i->c) break;
            if (r[i->a] == DEAD) return refuse(c, "a thread that is joined twice");
            machine_put(c, (size_t)(thread_of(c, (int)other) - c->s) + 1, c->executions != NULL ? DEAD : 0);
            break;
        }
        case OP_FINISH:
            NOT_CLEAR
            note_held(c, t, at);
            if (c->records) record_thread(c, t, 1);
            machine_put(c, base, DONE);
            machine_put(c, base + 1, r[i->a]);
            if (i->b) find_lost(c, t, at, 1);
            return c->violation != 0 ? VIOLATES : STEPS;
        case OP_LEFT:
            if (c->records) record_sight(c, NULL);
            note_left(c, t, i->a != 0); break;
        case OP_EXIT:
            machine_end(c, i->a);
            return c->violation != 0 ? VIOLATES : STEPS;
        case OP_FAIL:
            machine_end(c, i->b);
            c->violation = (int)i->a + 1;
            return VIOLATES;
        case OP_END: FAULT(0);
        case OPERATION_COUNT: return refuse(c, "an operation");
        }
    }
}
