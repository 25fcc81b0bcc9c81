/* Results of operations on numbers, in their types. */
#include "machine.h"

int number_fits(core *c, wide v, word type, word *result) {
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

int number_binary(core *c, int op, word x, word y, word type, word *result) {
    wide a = exact(x, type), b = exact(y, type);
    int bits = TYPE_BITS(type);
    switch (op) {
    case OP_ADD: return number_fits(c, a + b, type, result);
    case OP_SUB: return number_fits(c, a - b, type, result);
    case OP_MUL: {
        wide product;
        if (__builtin_mul_overflow(a, b, &product)) { /* of unsigned 64 bits: low ones are enough */
            *result = (word)((uint64_t)x * (uint64_t)y);
            return number_fits(c, exact(*result, type), type, result);
        }
        return number_fits(c, product, type, result);
    }
    case OP_DIV:
    case OP_REM:
        if (b == 0) return -2;
        if (bits == 256 && (a < 0 || b < 0)) {
            refuse(c, "a set of more than 62 threads");
            return -1;
        }
        if (op == OP_DIV) return number_fits(c, a / b, type, result);
        if (b == -1 && TYPE_SIGNED(type) && TYPE_CHECKED(type) && a == -((wide)1 << (bits - 1)))
            return 0;
        return number_fits(c, a % b, type, result);
    case OP_AND: return number_fits(c, exact(x & y, type), type & ~(word)(1 << 12), result);
    case OP_OR: return number_fits(c, exact(x | y, type), type & ~(word)(1 << 12), result);
    case OP_XOR: return number_fits(c, exact(x ^ y, type), type & ~(word)(1 << 12), result);
    case OP_SHL:
    case OP_SHR: {
        if (y < 0 || y >= bits) return -2;
        if (op == OP_SHR && bits == 256 && a < 0) {
            refuse(c, "a set of more than 62 threads");
            return -1;
        }
        int by = (int)y;
        if (op == OP_SHR) return number_fits(c, by > 63 ? (wide)(a < 0 ? -1 : 0) : a >> by, type, result);
        if (by >= 62 && bits == 256) {
            if (a == 0) return number_fits(c, 0, type, result);
            refuse(c, "a set of more than 62 threads");
            return -1;
        }
        wide moved = (wide)((bits128)a << by);
        if (TYPE_STRICT(type) && moved > 0 && moved >= (wide)1 << (bits - 1)) return 0;
        return number_fits(c, moved, type & ~(word)(1 << 12), result);
    }
    default: return refuse(c, "an operation"), -1;
    }
}

int number_less(word x, word y, word type) {
    return TYPE_SIGNED(type) ? x < y : (uint64_t)x < (uint64_t)y;
}
