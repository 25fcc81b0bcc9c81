/* Reads a lowered program. Whatever is not a program is refused here, so that no step looks. */
#include <stdlib.h>
#include <string.h>

#include "core.h"

typedef struct {
    const word *words;
    size_t count, at;
    int bad;
} reader;

static const char *const operands[] = {
#define OPERANDS(name, its) its,
    OPERATIONS(OPERANDS)
#undef OPERANDS
};

static word next(reader *r) {
    if (r->at >= r->count) {
        r->bad = 1;
        return 0;
    }
    return r->words[r->at++];
}

/* A number from `low` to `high`. */
static word within(reader *r, word low, word high) {
    word v = next(r);
    if (v < low || v > high) {
        r->bad = 1;
        return low > 0 ? low : 0;
    }
    return v;
}

static void *some(reader *r, word count, size_t size) {
    void *p = r->bad ? NULL : calloc(count > 0 ? (size_t)count : 1, size);
    if (p == NULL) r->bad = 1;
    return p;
}

static int good_type(word t) {
    int bits = TYPE_BITS(t);
    if (t < 0 || t >> 14) return 0;
    if (TYPE_POINTER(t)) return bits == 32 || bits == 64;
    if (bits == 256) return !TYPE_SIGNED(t);
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static int good_operand(const program *p, char kind, word v, word at) {
    const header *h = &p->h;
    switch (kind) {
    case 'r': return v >= 0 && v < h->registers;
    case 'k': return 1;
    case 'j': return v > at && v < h->code;
    case 'g': return v >= 0 && v < h->code;
    case 'p': return v >= 0 && v < h->locations;
    case 's': return v >= 0 && v < h->cells;
    case 'd': return v >= -1 && v < h->domains;
    case 'e': return v >= -2 && v < h->domains;
    case 't': return good_type(v);
    case 'o': return v >= 0 && v < h->objects && p->objects[v].slot >= 0;
    case 'l': return v >= 0 && v < h->locals;
    case 'y': return v >= 0 && v < h->layouts && p->layouts[v].count > 0 && p->layouts[v].size > 0;
    case 'm': return v >= 0 && v < h->templates;
    case 'n': return v >= 0 && v < 1 << 30;
    default: return 0;
    }
}

static int ends_there(int op) {
    return op == OP_JUMP || op == OP_GO || op == OP_BLOCKED || op == OP_FINISH || op == OP_EXIT ||
           op == OP_FAIL || op == OP_END;
}

static void read_layouts(program *p, reader *r) {
    p->layouts = some(r, p->h.layouts, sizeof *p->layouts);
    for (word k = 0; k < p->h.layouts && !r->bad; k++) {
        layout *l = &p->layouts[k];
        l->size = within(r, 0, HALF - 1);
        l->count = (int)within(r, 0, MOST_CELLS);
        l->cells = some(r, l->count, sizeof *l->cells);
        word last = 0;
        for (int j = 0; j < l->count && !r->bad; j++) {
            cell *it = &l->cells[j];
            it->offset = within(r, last, l->size);
            it->type = next(r);
            it->users = within(r, 0, 2);
            if (!good_type(it->type)) r->bad = 1;
            last = it->offset + TYPE_BYTES(it->type);
            if (last > l->size) r->bad = 1;
            l->users |= it->users != 0;
        }
    }
}

static void read_objects(program *p, reader *r) {
    p->objects = some(r, p->h.objects, sizeof *p->objects);
    p->initials = some(r, p->h.cells, sizeof *p->initials);
    for (word k = 0; k < p->h.objects && !r->bad; k++) {
        object *o = &p->objects[k];
        o->slot = within(r, -1, p->h.cells);
        o->layout = (int)within(r, -1, p->h.layouts - 1);
        o->mortal = (int)within(r, 0, 1);
        o->readonly = (int)within(r, 0, 1);
        o->count = 1;
        if (r->bad || (o->slot >= 0) != (o->layout >= 0)) {
            r->bad = 1;
        } else if (o->slot >= 0) {
            int count = p->layouts[o->layout].count;
            if (o->slot + count > p->h.cells) r->bad = 1;
            for (int j = 0; j < count && !r->bad; j++) p->initials[o->slot + j] = next(r);
            o->initial = p->initials + o->slot;
        }
    }
}

static void read_locations(program *p, reader *r) {
    p->locations = some(r, p->h.locations, sizeof *p->locations);
    p->frame = 1;
    for (word k = 0; k < p->h.locations && !r->bad; k++) {
        location *l = &p->locations[k];
        l->start = within(r, 0, p->h.code - 1);
        int kinds = (int)within(r, 0, 3);
        l->invisible = kinds & 1, l->compound = kinds >> 1;
        l->waits = (int)within(r, 0, 1);
        l->racing = within(r, 0, p->h.racing);
        l->cycle = within(r, 0, 1 << 20);
        int flags = (int)within(r, 0, 3);
        l->remembered = flags & 1, l->source = flags >> 1;
        l->alive = (uint64_t)next(r);
        l->own_count = (int)within(r, 0, MOST_OWN);
        l->own = some(r, l->own_count, sizeof *l->own);
        for (int j = 0; j < l->own_count && !r->bad; j++)
            l->own[j] = (own_cell){(int)within(r, -1, p->h.registers), within(r, 0, HALF - 1)};
        if (l->alive >> l->own_count != 0) r->bad = 1;
        l->source_count = (int)within(r, 0, p->h.locations);
        l->sources = some(r, l->source_count, sizeof *l->sources);
        for (int j = 0; j < l->source_count && !r->bad; j++)
            l->sources[j] = within(r, 0, p->h.locations - 1);
        l->length = (int)within(r, 0, p->h.registers);
        for (int j = 0; j < l->own_count && !r->bad; j++)
            if (l->own[j].at >= l->length) r->bad = 1;
        l->registers = some(r, l->length, sizeof *l->registers);
        l->pointers = some(r, l->length, 1);
        for (int j = 0; j < l->length && !r->bad; j++) {
            word its = within(r, 0, 2 * p->h.registers - 1);
            l->registers[j] = (int)(its >> 1), l->pointers[j] = its & 1;
        }
        if (l->length > p->frame) p->frame = l->length;
    }
}

static void read_rest(program *p, reader *r) {
    p->races = some(r, p->h.racing * p->h.racing, 1);
    for (word k = 0; k < p->h.racing * p->h.racing && !r->bad; k++)
        p->races[k] = (unsigned char)within(r, 0, 1);
    p->entries = some(r, p->h.templates, sizeof *p->entries);
    for (word k = 0; k < p->h.templates && !r->bad; k++)
        p->entries[k] = within(r, 0, p->h.locations - 1);
    p->locals = some(r, p->h.locals, sizeof *p->locals);
    for (word k = 0; k < p->h.locals && !r->bad; k++) {
        local_object *l = &p->locals[k];
        l->layout = (int)within(r, 0, p->h.layouts - 1);
        int count = r->bad ? 0 : p->layouts[l->layout].count;
        if (count == 0) r->bad = 1;
        l->initial = some(r, count, sizeof *l->initial);
        for (int j = 0; j < count && !r->bad; j++) l->initial[j] = next(r);
    }
    p->domains = some(r, p->h.domains, sizeof *p->domains);
    for (word k = 0; k < p->h.domains && !r->bad; k++) {
        domain *d = &p->domains[k];
        d->loss = (int)within(r, 0, 2);
        d->count = (size_t)within(r, 0, 1 << 16);
        d->values = some(r, (word)d->count, sizeof *d->values);
        for (size_t j = 0; j < d->count && !r->bad; j++) d->values[j] = next(r);
    }
}

/* So many sets of bits, of so many members; returns in how many words each is. */
static size_t read_sets(reader *r, uint32_t **sets, word count, word members) {
    word words = (members + 31) / 32;
    if (count * words > (word)(r->count - r->at)) r->bad = 1;
    *sets = some(r, count * words, sizeof **sets);
    for (word k = 0; k < count * words && !r->bad; k++) (*sets)[k] = (uint32_t)within(r, 0, UINT32_MAX);
    return (size_t)words;
}

static word *read_fields(program *p, reader *r, word count) {
    word *its = some(r, count, sizeof *its);
    for (word k = 0; k < count && !r->bad; k++) its[k] = within(r, 0, p->h.fields - 1);
    return its;
}

static void read_futures(program *p, reader *r) {
    future_accesses *its = &p->futures;
    if (p->h.fields == 0) return;
    its->of_cells = read_fields(p, r, p->h.cells);
    its->of_lives = read_fields(p, r, p->h.objects);
    for (word k = 0; k < p->h.layouts && !r->bad; k++)
        p->layouts[k].fields = read_fields(p, r, p->layouts[k].count + 1);
    for (word k = 0; k < p->h.locals && !r->bad; k++)
        p->locals[k].fields = read_fields(p, r, p->layouts[p->locals[k].layout].count + 1);
    if (!r->bad) its->words = read_sets(r, &its->touched, p->h.locations, p->h.fields);
    if (!r->bad) read_sets(r, &its->written, p->h.locations, p->h.fields);
    if (!r->bad) its->point_words = read_sets(r, &its->points, p->h.locations, p->h.locations);
}

/* So many places below a number, in order. */
static id_place *read_ids(reader *r, int *count, word below) {
    word before = -1;
    *count = (int)within(r, 0, below);
    id_place *its = some(r, *count, sizeof *its);
    for (int k = 0; k < *count && !r->bad; k++) {
        word at = next(r);
        its[k] = (id_place){(int)(at >> 1), at & 1};
        if (at >> 1 <= before || at >> 1 >= below) r->bad = 1;
        before = at >> 1;
    }
    return its;
}

static void read_classes(program *p, reader *r) {
    if (p->h.classes == 0) return;
    p->ids = read_ids(r, &p->id_count, p->h.cells);
    for (word k = 0; k < p->h.locations && !r->bad; k++) {
        location *l = &p->locations[k];
        l->sort = within(r, 0, p->h.classes);
        int kinds = (int)within(r, 0, 3);
        l->between = kinds & 1, l->joins = kinds >> 1;
        p->joins |= l->joins;
        l->ids = read_ids(r, &l->id_count, l->length);
    }
}

static void read_code(program *p, reader *r) {
    p->code = some(r, p->h.code, sizeof *p->code);
    for (word k = 0; k < p->h.code && !r->bad; k++) {
        instruction *i = &p->code[k];
        i->op = (int)within(r, 0, OPERATION_COUNT - 1);
        i->a = next(r), i->b = next(r), i->c = next(r), i->d = next(r);
        const word its[] = {i->a, i->b, i->c, i->d};
        const char *kinds = operands[i->op];
        for (size_t j = 0; kinds[j] != 0 && !r->bad; j++)
            if (!good_operand(p, kinds[j], its[j], k)) r->bad = 1;
        if (k == p->h.code - 1 && !ends_there(i->op)) r->bad = 1;
        if (i->op == OP_OPEN && i->b > 62) r->bad = 1;
        p->loses |= i->op == OP_LOSE || (i->op == OP_FINISH && i->b != 0);
    }
}

const char *program_read(program *p, const word *words, size_t count) {
    reader r = {words, count, 0, 0};
    header *h = &p->h;
    memset(p, 0, sizeof *p);
    h->cells = within(&r, 0, MOST_CELLS);
    h->locations = within(&r, 1, 1 << 20);
    h->code = within(&r, 1, 1 << 24);
    h->objects = within(&r, 2, MOST_OBJECTS);
    h->templates = within(&r, 1, 1 << 16);
    h->registers = within(&r, 4, 1 << 16);
    h->layouts = within(&r, 0, 1 << 16);
    h->domains = within(&r, 0, 1 << 20);
    h->locals = within(&r, 0, 1 << 16);
    h->max_threads = within(&r, 1, 1 << 20);
    h->last_thread = within(&r, 0, 1 << 20);
    h->pointer_bits = within(&r, 32, 64);
    h->main = within(&r, 0, h->templates - 1);
    h->looks = within(&r, NO_STATES, PASSED);
    h->racing = within(&r, 0, 1 << 10);
    h->fields = within(&r, 0, 1 << 20);
    h->classes = within(&r, 0, MOST_CLASSES);
    p->content = some(&r, h->cells, sizeof *p->content);
    for (word k = 0; k < h->cells && !r.bad; k++) p->content[k] = next(&r);
    read_layouts(p, &r);
    if (!r.bad) read_objects(p, &r);
    if (!r.bad) read_locations(p, &r);
    if (!r.bad) read_rest(p, &r);
    if (!r.bad) read_futures(p, &r);
    if (!r.bad) read_classes(p, &r);
    if (!r.bad) read_code(p, &r);
    if (!r.bad && r.at != count) r.bad = 1;
    return r.bad ? "malformed program" : NULL;
}

void program_free(program *p) {
    for (word k = 0; p->locations != NULL && k < p->h.locations; k++) {
        location *l = &p->locations[k];
        free(l->registers), free(l->pointers), free(l->own), free(l->sources), free(l->ids);
    }
    for (word k = 0; p->layouts != NULL && k < p->h.layouts; k++) free(p->layouts[k].cells), free(p->layouts[k].fields);
    for (word k = 0; p->locals != NULL && k < p->h.locals; k++) free(p->locals[k].initial), free(p->locals[k].fields);
    for (word k = 0; p->domains != NULL && k < p->h.domains; k++) free(p->domains[k].values);
    free(p->futures.of_cells), free(p->futures.of_lives);
    free(p->futures.touched), free(p->futures.written), free(p->futures.points);
    free(p->locations), free(p->layouts), free(p->locals), free(p->domains), free(p->races);
    free(p->ids), free(p->content), free(p->entries), free(p->initials), free(p->code), free(p->objects);
}
