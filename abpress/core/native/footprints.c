/* What next steps of threads access, as `abpress/relations/footprint.py` and
 * `abpress/semantics/recording.py`: each footprint has one number, and is a set of bits. */
#include <stdlib.h>
#include <string.h>

#include "dynamic.h"

footprints *footprints_of(const core *c) {
    if (c->executions != NULL) return &c->executions->footprints;
    return c->graph != NULL ? &c->graph->footprints : &c->foresight->footprints;
}

/* -- places --------------------------------------------------------------------------------- */

static size_t life_of(const core *c, const object *o) { return c->room + (size_t)(o - c->objects); }

static size_t life_of_thread(const core *c, int thread) {
    return c->room + MOST_OBJECTS + (size_t)thread;
}

static size_t places(const core *c) { return life_of_thread(c, LANES); }

static int more_keys(footprints *f) {
    size_t room = 2 * f->key_room;
    key *keys = realloc(f->keys, room * sizeof *keys);
    if (keys != NULL) f->keys = keys;
    uint32_t *read = realloc(f->read, room * sizeof *read);
    if (read != NULL) f->read = read;
    uint32_t *written = realloc(f->written, room * sizeof *written);
    if (written != NULL) f->written = written;
    word *name = realloc(f->name, (2 * room + 3) * sizeof *name);
    if (name != NULL) f->name = name;
    if (keys == NULL || read == NULL || written == NULL || name == NULL) return 0;
    f->key_room = room;
    return 1;
}

/* The key of a place; 0 if it is refused. */
static uint32_t key_of(core *c, size_t place) {
    footprints *f = footprints_of(c);
    if (f->numbers[place] != 0) return f->numbers[place];
    if (f->key_count == MOST_KEYS) return refuse(c, "steps that access many cells"), 0;
    if (f->key_count + 1 == f->key_room && !more_keys(f)) return refuse(c, "memory is used up"), 0;
    int of_thread = place >= life_of_thread(c, 0);
    f->keys[++f->key_count] = (key){.writer = NOBODY, .of_thread = of_thread, .place = place};
    f->numbers[place] = (uint32_t)f->key_count;
    if (f->awaited.count > 0) recall_wait(c, f->numbers[place]);
    return f->numbers[place];
}

const object *owner_of(const core *c, size_t cell) {
    size_t low = (size_t)c->p.h.objects, high = c->object_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if ((size_t)c->objects[middle].slot <= cell) low = middle;
        else high = middle;
    }
    return &c->objects[low];
}

void name_key(const core *c, uint32_t k, word *name) {
    size_t place = footprints_of(c)->keys[k].place;
    const object *o = NULL;
    int kind = 0;
    memset(name, 0, KEY_WORDS * sizeof *name);
    if (place >= life_of_thread(c, 0)) {
        name[0] = 5, name[1] = (word)(place - life_of_thread(c, 0));
        return;
    }
    if (place >= c->room) {
        kind = 1;
        o = &c->objects[place - c->room];
        name[6] = o->name[0] != 0 ? 0 : (word)(place - c->room);
    } else if (place >= c->dynamic) {
        o = owner_of(c, place);
        name[6] = (word)place - o->slot;
    } else {
        name[6] = (word)place;
    }
    if (o != NULL && o->name[0] != 0) {
        kind += 2;
        for (int j = 0; j < OBJECT_WORDS; j++) name[1 + j] = o->name[j];
    }
    name[0] = kind;
}

/* -- recording ------------------------------------------------------------------------------ */

void footprint_begin(core *c) {
    footprints *f = footprints_of(c);
    f->stamp++;
    f->read_count = f->written_count = 0;
    f->ends = 0;
}

static void note_read(core *c, size_t place) {
    footprints *f = footprints_of(c);
    uint32_t k = key_of(c, place);
    if (k == 0 || f->keys[k].read_at == f->stamp) return;
    f->keys[k].read_at = f->stamp;
    f->read[f->read_count++] = k;
}

static void note_written(core *c, size_t place) {
    footprints *f = footprints_of(c);
    uint32_t k = key_of(c, place);
    if (k == 0 || f->keys[k].written_at == f->stamp) return;
    f->keys[k].written_at = f->stamp;
    f->written[f->written_count++] = k;
}

/* With stored states and without a dynamic reduction there are no footprints, but for those that are asked
 * for; what a step touches tells which effect it has. */
static int stores(const core *c) {
    return c->executions == NULL && c->graph == NULL && !(c->foresight != NULL && c->foresight->records);
}

void record_read(core *c, size_t cell) {
    if (stores(c)) effect_touch(c, cell);
    else note_read(c, cell);
}

void record_write(core *c, size_t cell) {
    if (stores(c)) effect_touch(c, cell);
    else note_written(c, cell);
}

void record_objects(core *c) {
    if (stores(c)) effect_touch(c, c->dynamic);
}

void record_sight(core *c, const object *o) {
    if (!stores(c)) return;
    if (o == NULL) effect_end(c);
    else effect_touch_object(c, o);
}

void record_lifetime(core *c, const object *o) {
    if (stores(c)) {
        effect_touch_object(c, o);
        return;
    }
    size_t cells = (size_t)c->p.layouts[o->layout].count * (size_t)o->count, life = life_of(c, o);
    for (size_t k = 0; k < cells; k++) {
        note_written(c, (size_t)o->slot + k);
        note_read(c, (size_t)o->slot + k);
    }
    note_written(c, life);
    note_read(c, life);
}

void record_observed(core *c, const object *o) {
    if (stores(c)) effect_touch_object(c, o);
    else note_read(c, life_of(c, o));
}

void record_failed(core *c, word pointer, uint64_t size) {
    uint64_t number = (uint64_t)pointer >> OFFSET_BITS, offset = (uint64_t)pointer & OFFSET_MASK;
    if (stores(c) || number >= c->object_count || c->objects[number].slot < 0) return;
    if (offset >= HALF) {
        refuse(c, "an access before an object");
        return;
    }
    const object *o = &c->objects[number];
    const layout *l = &c->p.layouts[o->layout];
    uint64_t whole = (uint64_t)l->size;
    uint64_t e = whole > 0 ? offset / whole : (uint64_t)o->count;
    for (; e < (uint64_t)o->count && e * whole < offset + size; e++)
        for (int k = 0; k < l->count; k++) {
            uint64_t from = e * whole + (uint64_t)l->cells[k].offset;
            uint64_t to = from + (uint64_t)TYPE_BYTES(l->cells[k].type);
            if (from < offset + size && offset < to)
                note_read(c, (size_t)o->slot + (size_t)e * (size_t)l->count + (size_t)k);
        }
    note_read(c, life_of(c, o));
}

void record_thread(core *c, int thread, int writes) {
    if (stores(c)) effect_touch_thread(c, thread, writes);
    else if (writes) note_written(c, life_of_thread(c, thread));
    else note_read(c, life_of_thread(c, thread));
}

void record_end(core *c) {
    if (stores(c)) effect_end(c);
    else footprints_of(c)->ends = 1;
}

int creation_of(const core *c, int thread) {
    const footprints *f = footprints_of(c);
    uint32_t k = f->numbers[life_of_thread(c, thread)];
    return k == 0 ? NOBODY : f->keys[k].writer;
}

/* -- footprints ----------------------------------------------------------------------------- */

static void set(uint64_t *bits, uint32_t k) { bits[k / 64] |= 1ULL << k % 64; }

int footprints_widen(footprints *f, size_t keys) {
    size_t words = f->words;
    while (keys >= 64 * words) words *= 2;
    if (words == f->words) return 1;
    uint64_t *bits = calloc(2 * words * f->room, sizeof *bits);
    uint64_t *sum = calloc(2 * words, sizeof *sum), *overwritten = calloc(words, sizeof *sum);
    uint64_t *blind = f->whole ? calloc(words * f->room, sizeof *blind) : NULL;
    if (bits == NULL || sum == NULL || overwritten == NULL || (f->whole && blind == NULL))
        return free(bits), free(sum), free(overwritten), free(blind), 0;
    for (size_t a = 0; a < f->room; a++)
        for (size_t half = 0; half < 2; half++)
            memcpy(bits + (2 * a + half) * words, f->bits + (2 * a + half) * f->words,
                   f->words * sizeof *bits);
    for (size_t a = 0; f->whole && a < f->room; a++)
        memcpy(blind + a * words, f->blind + a * f->words, f->words * sizeof *blind);
    free(f->bits), free(f->sum), free(f->blind), free(f->overwritten);
    f->bits = bits, f->sum = sum, f->blind = blind, f->overwritten = overwritten, f->words = words;
    return 1;
}

static int more_footprints(footprints *f, size_t keys) {
    if (f->known.count == f->room) {
        size_t room = 2 * f->room;
        footprint *all = realloc(f->all, room * sizeof *all);
        if (all == NULL) return 0;
        f->all = all;
        uint64_t *bits = realloc(f->bits, 2 * f->words * room * sizeof *bits);
        if (bits == NULL) return 0;
        memset(bits + 2 * f->words * f->room, 0, 2 * f->words * f->room * sizeof *bits);
        f->bits = bits;
        if (f->whole) {
            uint64_t *blind = realloc(f->blind, f->words * room * sizeof *blind);
            if (blind == NULL) return 0;
            memset(blind + f->words * f->room, 0, f->words * f->room * sizeof *blind);
            f->blind = blind;
        }
        f->room = room;
    }
    if (f->listed + keys > f->list_room) {
        size_t room = 2 * f->list_room + keys;
        uint32_t *lists = realloc(f->lists, room * sizeof *lists);
        if (lists == NULL || room > UINT32_MAX) return 0;
        f->lists = lists, f->list_room = room;
    }
    return 1;
}

uint32_t life_key(core *c, int thread) { return key_of(c, life_of_thread(c, thread)); }

/* Whether what is recorded to be written is written blindly: not if it is read, too, or a thread has
 * been seen to wait for it, NOTE(waiting). Whoever writes so is remembered. */
static int is_blind(footprints *f, uint32_t k, int thread, int certain) {
    key *its = &f->keys[k];
    if (!f->observes || !certain || its->read_at == f->stamp || its->waited) return 0;
    if (its->blind_by == 0) its->blind_by = thread;
    if (its->blind_by != thread) f->contested = its->contested = 1;
    return 1;
}

/* What is written, but not blindly, is read by steps of whole executions. */
static void read_written(footprints *f, uint32_t a, int thread, int certain) {
    uint64_t *touched = f->bits + 2 * f->words * a, *blind = f->blind + f->words * a;
    for (size_t k = 0; k < f->written_count; k++) {
        uint32_t its = f->written[k];
        if (f->keys[its].of_thread) continue;
        if (is_blind(f, its, thread, certain)) {
            set(blind, its);
        } else if (f->keys[its].read_at != f->stamp) {
            f->lists[f->listed++] = its;
            set(touched, its);
        }
    }
}

/* Makes the footprint with the number of what was recorded; `certain`: there is no choice. */
static int make(core *c, uint32_t a, int thread, int certain) {
    footprints *f = footprints_of(c);
    uint32_t life = key_of(c, life_of_thread(c, thread));
    if (life == 0 || !footprints_widen(f, f->key_count)) return 0;
    if (!more_footprints(f, f->read_count + 2 * f->written_count)) return 0;
    footprint *its = &f->all[a];
    its->thread = thread;
    its->ends = f->ends;
    its->lives = 0;
    uint64_t *touched = f->bits + 2 * f->words * a, *written = touched + f->words;
    set(touched, 0);
    set(touched, life);
    if (f->ends) set(written, 0);
    its->reads = (uint32_t)f->listed;
    for (size_t k = 0; k < f->read_count; k++) {
        f->lists[f->listed++] = f->read[k];
        set(touched, f->read[k]);
    }
    its->recorded = (uint32_t)f->read_count;
    if (f->whole) read_written(f, a, thread, certain);
    its->writes = (uint32_t)f->listed;
    for (size_t k = 0; k < f->written_count; k++) {
        f->lists[f->listed++] = f->written[k];
        set(touched, f->written[k]);
        set(written, f->written[k]);
        its->lives |= f->keys[f->written[k]].of_thread;
    }
    its->end = (uint32_t)f->listed;
    return 1;
}

uint32_t footprint_end(core *c, int thread, int certain) {
    footprints *f = footprints_of(c);
    size_t length = 3;
    f->name[0] = thread, f->name[1] = f->ends, f->name[2] = (word)f->read_count;
    if (f->observes && certain) f->name[1] += 2;
    for (size_t k = 0; k < f->read_count; k++) f->name[length++] = f->read[k];
    for (size_t k = 0; k < f->written_count; k++) f->name[length++] = f->written[k];
    size_t before = f->known.count;
    uint32_t a = interner_number(&f->known, f->name, length);
    if (a == 0 || (f->known.count > before && !make(c, a, thread, certain)))
        return refuse(c, "memory is used up"), 0;
    return a;
}

int footprints_new(core *c) {
    footprints *f = footprints_of(c);
    f->words = 1;
    f->whole = has_whole(c), f->observes = has_observers(c);
    f->room = 64, f->list_room = 256, f->key_room = 64;
    f->numbers = calloc(places(c), sizeof *f->numbers);
    f->all = calloc(f->room, sizeof *f->all);
    f->lists = calloc(f->list_room, sizeof *f->lists);
    f->bits = calloc(2 * f->words * f->room, sizeof *f->bits);
    f->sum = calloc(2 * f->words, sizeof *f->sum);
    f->overwritten = calloc(f->words, sizeof *f->overwritten);
    f->blind = f->whole ? calloc(f->words * f->room, sizeof *f->blind) : NULL;
    f->keys = calloc(f->key_room, sizeof *f->keys);
    f->read = calloc(f->key_room, sizeof *f->read);
    f->written = calloc(f->key_room, sizeof *f->written);
    f->name = calloc(2 * f->key_room + 3, sizeof *f->name);
    return interner_new(&f->known) && interner_new(&f->awaited) && (f->blind || !f->whole) && f->numbers && f->all && f->lists && f->bits && f->sum && f->keys &&
           f->overwritten && f->read && f->written && f->name;
}

int footprints_again(core *c) {
    footprints *f = &c->executions->footprints;
    for (size_t k = 1; k <= f->key_count; k++) {
        f->keys[k].writer = NOBODY;
        f->keys[k].readers = 0, f->keys[k].blind_by = f->keys[k].contested = 0;
    }
    memset(f->bits, 0, 2 * f->words * f->room * sizeof *f->bits);
    memset(f->blind, 0, f->words * f->room * sizeof *f->blind);
    f->listed = 0;
    f->contested = f->stale = 0;
    interner_free(&f->known);
    return interner_new(&f->known);
}

void footprints_free(core *c) {
    footprints *f = footprints_of(c);
    interner_free(&f->known);
    free(f->numbers), free(f->all), free(f->lists), free(f->bits), free(f->sum), free(f->blind);
    free(f->keys), free(f->overwritten), interner_free(&f->awaited);
    free(f->read), free(f->written), free(f->name);
}
