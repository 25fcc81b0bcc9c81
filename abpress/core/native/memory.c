/* Accesses to memory off the fast path, as `abpress/semantics/memory.py`: to parts of cells, to
 * cells of another type, and copies. */
#include "memory.h"

enum { MOST_BYTES = 4096, NO_BYTE = -1 };

/* The cells that a range of bytes overlaps, from the first one on, of an object. */
typedef struct {
    const object *o;
    const layout *l;
    uint64_t offset, size;
    size_t first, count;
} range;

static const cell *cell_of(const range *r, size_t k) {
    return &r->l->cells[(r->first + k) % (size_t)r->l->count];
}

/* Where a cell begins, from the start of the range on; before it if it is negative. */
static int64_t start_of(const range *r, size_t k) {
    uint64_t element = (r->first + k) / (size_t)r->l->count;
    return (int64_t)(element * (uint64_t)r->l->size + (uint64_t)cell_of(r, k)->offset) -
           (int64_t)r->offset;
}

static int64_t bytes_of(const range *r, size_t k) { return TYPE_BYTES(cell_of(r, k)->type); }

static int is_whole(const range *r, size_t k) {
    return start_of(r, k) >= 0 && start_of(r, k) + bytes_of(r, k) <= (int64_t)r->size;
}

static size_t place_of(const range *r, size_t k) { return (size_t)r->o->slot + r->first + k; }

/* The range that begins at an address. 0: it is not inside of an object that is alive. */
static int find(const core *c, word pointer, uint64_t size, range *r) {
    r->o = object_of(c, pointer);
    if (r->o == NULL || !alive(c, r->o)) return 0;
    r->l = &c->p.layouts[r->o->layout];
    r->offset = (uint64_t)pointer & OFFSET_MASK, r->size = size;
    r->first = r->count = 0;
    size_t all = size_in_cells(c, r->o);
    if (r->offset + size > (uint64_t)r->l->size * (uint64_t)r->o->count) return 0;
    if (all == 0 || size == 0) return 1;
    r->first = (size_t)(r->offset / (uint64_t)r->l->size) * (size_t)r->l->count;
    while (r->first < all && start_of(r, 0) + bytes_of(r, 0) <= 0) r->first++;
    while (r->first + r->count < all && start_of(r, r->count) < (int64_t)size) r->count++;
    return 1;
}

/* Whether cells hold all of its bytes. */
static int is_held(const range *r) {
    int64_t held = 0;
    for (size_t k = 0; k < r->count; k++) {
        int64_t from = start_of(r, k), to = from + bytes_of(r, k);
        held += (to < (int64_t)r->size ? to : (int64_t)r->size) - (from > 0 ? from : 0);
    }
    return held == (int64_t)r->size;
}

static void record(core *c, const range *r, int writes) {
    if (c->records && r->count == 0) record_sight(c, r->o); /* whether it is alive */
    for (size_t k = 0; c->records && k < r->count; k++) {
        if (writes) record_write(c, place_of(r, k));
        if (!writes || !is_whole(r, k)) record_read(c, place_of(r, k));
    }
}

/* -- values and bytes ----------------------------------------------------------------------- */

/* Whether a value of that type is one that the core takes for an address, or may be. */
static int like_address(word v, word type) {
    return TYPE_POINTER(type) && v != UNDEFINED && (uint64_t)v >= PLAIN_LIMIT;
}

static enum place unable(core *c, const char *why) { return refuse(c, why), UNABLE; }

/* A value of one type as one of another that is as long. */
static enum place convert(core *c, word v, word of, word to, word *result) {
    if (v != UNDEFINED && TYPE_POINTER(of) != TYPE_POINTER(to)) {
        word as = TYPE_POINTER(of) ? of : to;
        if (like_address(v, as)) return unable(c, "an access with another type than the cell's");
        v = wrapped(exact(v, of), TYPE_BITS(to), TYPE_SIGNED(to) != 0);
    }
    *result = converted(v, of, to);
    return FOUND;
}

/* The bytes of a value, low end first. */
static enum place decompose(core *c, word v, word type, int16_t *bytes) {
    if (TYPE_BITS(type) > 64) return unable(c, "an access to a part of a set of threads");
    if (like_address(v, type)) return v < 0 ? unable(c, "an integer used as an address") : FAULTY;
    for (int n = 0; n < TYPE_BYTES(type); n++)
        bytes[n] = v == UNDEFINED ? NO_BYTE : (int16_t)((uint64_t)v >> 8 * n & 255);
    return FOUND;
}

static enum place compose(core *c, const int16_t *bytes, word type, word *result) {
    int length = TYPE_BYTES(type), known = 0;
    uint64_t v = 0;
    for (int n = 0; n < length; n++)
        if (bytes[n] != NO_BYTE) known++, v |= (uint64_t)bytes[n] << 8 * n;
    *result = UNDEFINED;
    if (known == 0) return FOUND;
    if (known < length) return FAULTY;
    *result = wrapped((wide)v, TYPE_BITS(type), TYPE_SIGNED(type) != 0);
    if (like_address(*result, type)) return unable(c, "an integer used as an address");
    if (is_content(*result)) return unable(c, "a number that the core has a use for");
    return FOUND;
}

/* The bytes of a range; those of no cell are undefined. */
static enum place read_bytes(core *c, const range *r, int16_t *data) {
    for (uint64_t n = 0; n < r->size; n++) data[n] = NO_BYTE;
    for (size_t k = 0; k < r->count; k++) {
        int16_t its[8];
        enum place found = decompose(c, c->s[place_of(r, k)], cell_of(r, k)->type, its);
        if (found != FOUND) return found;
        for (int64_t n = 0; n < bytes_of(r, k); n++)
            if (start_of(r, k) + n >= 0 && start_of(r, k) + n < (int64_t)r->size)
                data[start_of(r, k) + n] = its[n];
    }
    return FOUND;
}

static enum place write_bytes(core *c, const range *r, const int16_t *data) {
    for (size_t k = 0; k < r->count; k++) {
        int16_t its[8] = {0};
        word type = cell_of(r, k)->type, value;
        enum place found = FOUND;
        if (TYPE_BITS(type) > 64) return unable(c, "an access to a part of a set of threads");
        if (!is_whole(r, k)) found = decompose(c, c->s[place_of(r, k)], type, its);
        if (found != FOUND) return found;
        for (int64_t n = 0; n < bytes_of(r, k); n++)
            if (start_of(r, k) + n >= 0 && start_of(r, k) + n < (int64_t)r->size)
                its[n] = data[start_of(r, k) + n];
        found = compose(c, its, type, &value);
        if (found != FOUND) return found;
        machine_put(c, place_of(r, k), value);
    }
    return FOUND;
}

/* -- accesses ------------------------------------------------------------------------------- */

static int is_cell(const range *r, word type) {
    return r->count == 1 && start_of(r, 0) == 0 && TYPE_BITS(cell_of(r, 0)->type) == TYPE_BITS(type);
}

/* The range of a value of that type at an address. */
static enum place find_value(core *c, word pointer, word type, range *r) {
    if (TYPE_BITS(type) > 64) return unable(c, "an access to a part of a set of threads");
    return find(c, pointer, (uint64_t)TYPE_BYTES(type), r) ? FOUND : FAULTY;
}

enum place memory_load(core *c, word pointer, word type, word *value) {
    range r;
    int16_t data[8];
    enum place found = find_value(c, pointer, type, &r);
    if (found != FOUND) return found;
    if (is_cell(&r, type)) {
        found = convert(c, c->s[place_of(&r, 0)], cell_of(&r, 0)->type, type, value);
    } else {
        if (!is_held(&r)) return FAULTY;
        found = read_bytes(c, &r, data);
        if (found == FOUND) found = compose(c, data, type, value);
    }
    if (found == FOUND) record(c, &r, 0);
    return found;
}

enum place memory_store(core *c, word pointer, word type, word value) {
    range r;
    int16_t data[8];
    enum place found = find_value(c, pointer, type, &r);
    if (found != FOUND) return found;
    if (is_cell(&r, type)) {
        found = convert(c, value, type, cell_of(&r, 0)->type, &value);
        if (found == FOUND) machine_put(c, place_of(&r, 0), value);
    } else {
        if (!is_held(&r)) return FAULTY;
        found = decompose(c, value, type, data);
        if (found == FOUND) found = write_bytes(c, &r, data);
    }
    if (found == FOUND) record(c, &r, 1);
    return found;
}

/* -- copies --------------------------------------------------------------------------------- */

/* Whether the cells of two ranges are whole and correspond. */
static int agree(const range *a, const range *b) {
    if (a->count != b->count) return 0;
    for (size_t k = 0; k < a->count; k++)
        if (!is_whole(a, k) || start_of(a, k) != start_of(b, k) || bytes_of(a, k) != bytes_of(b, k))
            return 0;
    return 1;
}

static enum place copy_cells(core *c, const range *to, const range *from) {
    for (size_t k = 0; k < to->count; k++) {
        word value;
        enum place found = convert(c, c->s[place_of(from, k)], cell_of(from, k)->type,
                                   cell_of(to, k)->type, &value);
        if (found != FOUND) return found;
        machine_put(c, place_of(to, k), value);
    }
    return FOUND;
}

static uint64_t size_in_bytes(const core *c, const object *o) {
    return (uint64_t)c->p.layouts[o->layout].size * (uint64_t)o->count;
}

word memory_moved(core *c, word target, word source, word most) {
    const object *from = object_of(c, source), *to = object_of(c, target);
    if (c->records && from != NULL) record_sight(c, from);
    if (from == NULL || !from->heap || ((uint64_t)source & OFFSET_MASK) || from->automatic ||
        !alive(c, from) || to == NULL || ((uint64_t)target & OFFSET_MASK) > size_in_bytes(c, to))
        return -1;
    if ((uint64_t)most > size_in_bytes(c, from)) most = (word)size_in_bytes(c, from);
    if ((uint64_t)most > size_in_bytes(c, to)) most = (word)size_in_bytes(c, to);
    return most;
}

enum place memory_copy(core *c, word target, word source, word size) {
    range to, from;
    int16_t data[MOST_BYTES];
    uint64_t bytes = (uint64_t)size;
    if (bytes == 0) return FOUND;
    if (!find(c, target, bytes, &to) || !find(c, source, bytes, &from) || to.o->readonly)
        return FAULTY;
    if (to.o == from.o) return unable(c, "a copy within an object");
    enum place found;
    if (agree(&from, &to)) {
        found = copy_cells(c, &to, &from);
    } else {
        if (bytes > MOST_BYTES) return unable(c, "a copy of many bytes");
        found = read_bytes(c, &from, data);
        if (found == FOUND) found = write_bytes(c, &to, data);
    }
    if (found == FOUND) record(c, &from, 0), record(c, &to, 1);
    return found;
}
