/* Keys of states as `abpress/search/symmetric.py` makes them, NOTE(symmetric-threads): ids are masked in the parts of
 * a row, and threads of classes are sorted by their signatures. The reference is asked which threads `main` joins one
 * after the other. */
#include "symmetric.h"

#include <stdlib.h>
#include <string.h>

#include "executions.h"

enum { NO_CLASS = -1, UNKNOWN = -2, MOST_CHUNKS = 16 };

/* The columns of a key: whether it is the state itself; memory and objects; and then by turns a thread of no class, at
 * its id, and a signature. */
static size_t before_threads(const core *c) { return 2 + c->chunks; }

int symmetric_new(core *c) {
    if (c->p.h.classes == 0) return 1;
    symmetric *m = c->symmetric = calloc(1, sizeof *m);
    if (m == NULL) return 0;
    size_t most = before_threads(c) + 2 * MOST_THREADS;
    m->columns = c->columns;
    m->key = calloc(most, sizeof *m->key);
    m->parts = calloc(MASKED_PARTS, sizeof *m->parts);
    m->words = calloc(3 * ((size_t)c->stride + c->chunk) + 8, sizeof *m->words);
    for (int t = 1; t <= MOST_THREADS; t++) m->class_of[t] = t == 1 ? NO_CLASS : UNKNOWN;
    for (int k = 0; k < c->p.id_count; k++) m->chunks |= 1ULL << ((size_t)c->p.ids[k].at / c->chunk);
    return m->key && m->parts && m->words && table_new(&m->keys, before_threads(c) + 2 * c->columns, most) &&
           interner_new(&m->masked) && interner_new(&m->names) && interner_new(&m->handles) &&
           interner_new(&m->signatures) && interner_new(&m->questions);
}

void symmetric_free(core *c) {
    symmetric *m = c->symmetric;
    if (m == NULL) return;
    table_free(&m->keys);
    interner_free(&m->masked), interner_free(&m->names), interner_free(&m->handles);
    interner_free(&m->signatures), interner_free(&m->questions);
    free(m->key), free(m->parts), free(m->runs), free(m->pcs), free(m->usual), free(m->sorts);
    free(m->words), free(m->noted), free(m->named);
    free(m);
}

size_t symmetric_bytes(const core *c) {
    const symmetric *m = c->symmetric;
    if (m == NULL) return 0;
    return table_bytes(&m->keys) + interner_bytes(&m->masked) + interner_bytes(&m->names) +
           interner_bytes(&m->handles) + interner_bytes(&m->signatures) + interner_bytes(&m->questions) +
           m->pc_room * sizeof *m->pcs + m->usual_room * sizeof *m->usual;
}

static int apart(core *c, int quietly, const char *why) {
    if (quietly) return 0;
    refuse(c, why);
    c->symmetric->apart = 1;
    return 0;
}

static int no_memory(core *c) {
    refuse(c, "memory is used up");
    return 0;
}

/* Room for `count` things of a size; those that are new are zero. */
static int zeroed_room(core *c, void **its, size_t *room, size_t count, size_t size) {
    size_t before = *room;
    if (count <= before) return 1;
    if (!room_for(its, room, count, size)) return no_memory(c);
    memset((char *)*its + before * size, 0, (*room - before) * size);
    return 1;
}

/* -- threads -------------------------------------------------------------------------------- */

static uint32_t frame_in(const core *c, const uint32_t *row, int t) { return row[c->chunks + (size_t)t]; }

/* Where a frame stands. */
static word pc_of(core *c, uint32_t number) {
    symmetric *m = c->symmetric;
    if (number == 0 || !zeroed_room(c, (void **)&m->pcs, &m->pc_room, (size_t)number + 1, sizeof *m->pcs)) return ABSENT;
    if (m->pcs[number] == 0) {
        interner_words(&c->frames, number, m->words);
        m->pcs[number] = m->words[0] + 2;
    }
    return m->pcs[number] - 2;
}

static int has_ids(const core *c, word pc) { return pc >= 0 && c->p.locations[pc].id_count > 0; }
static int is_between(const core *c, word pc) { return pc >= 0 && c->p.locations[pc].between; }

/* Looks at who there is. 0: classes are not as they were, or `quietly` not known. */
static int see_threads(core *c, const uint32_t *row, sight *of, int quietly) {
    symmetric *m = c->symmetric;
    *of = (sight){.main_at = pc_of(c, frame_in(c, row, 1))};
    for (int t = 1; (size_t)t <= c->columns; t++) {
        word pc = pc_of(c, frame_in(c, row, t));
        if (pc == ABSENT) continue;
        of->present |= BIT(t);
        if (pc == DONE) of->ended |= BIT(t);
        int its = pc == DONE ? m->class_of[t] : (int)c->p.locations[pc].sort - 1;
        if (its == UNKNOWN) return apart(c, quietly, "a thread that was met when it had finished");
        if (m->class_of[t] == UNKNOWN) {
            if (quietly) return 0;
            m->class_of[t] = (signed char)its;
            if (its != NO_CLASS) m->of_class[its] |= BIT(t);
        }
        if (m->class_of[t] != its) return apart(c, quietly, "a name of threads with two functions");
        if (its != NO_CLASS) of->mine |= BIT(t);
    }
    return !c->over;
}

/* -- ids ------------------------------------------------------------------------------------ */

/* The places of ids in a part of a row, and where the part begins. */
static const id_place *places_in(core *c, const masked_part *its, int *count, size_t *begins) {
    const id_place *all = c->p.ids, *end = all + c->p.id_count;
    if ((size_t)its->column > c->chunks) {
        const location *l = &c->p.locations[pc_of(c, its->number)];
        *count = l->id_count, *begins = 0;
        return l->ids;
    }
    *begins = (size_t)its->column * c->chunk;
    while (all < end && (size_t)all->at < *begins) all++;
    *count = 0;
    while (all + *count < end && (size_t)all[*count].at < *begins + c->chunk) ++*count;
    return all;
}

static int note_name(core *c, word thread, word place) {
    symmetric *m = c->symmetric;
    if (!room_for((void **)&m->noted, &m->noted_room, m->noted_count + 2, sizeof *m->noted)) return no_memory(c);
    m->noted[m->noted_count++] = thread;
    m->noted[m->noted_count++] = place;
    return 1;
}

/* Masks the ids in a part: behind its words stand bits that tell which are masked. */
static int mask(core *c, masked_part *its) {
    symmetric *m = c->symmetric;
    int thread = (size_t)its->column > c->chunks ? its->column - (int)c->chunks : 0, count;
    int is_mine = thread != 0 && its->mine & BIT(thread);
    size_t begins, held = 0;
    const id_place *ids = places_in(c, its, &count, &begins);
    size_t length = interner_words(thread != 0 ? &c->frames : &c->memory, its->number, m->words);
    /* a place of a thread is behind all cells */
    word first = thread != 0 ? c->p.h.cells + (word)thread * c->stride : (word)begins;
    word *bits = m->words + length, *handles = bits + count / 32 + 1;
    memset(bits, 0, (size_t)(count / 32 + 1) * sizeof *bits);
    for (int k = 0; k < count; k++) {
        size_t at = (size_t)ids[k].at + (thread != 0) - begins;
        word t = m->words[at];
        if (ids[k].is_handle) handles[held++] = t;
        if (t < 1 || t > MOST_THREADS || !(its->mine & BIT(t))) continue;
        if (ids[k].is_handle) {
            m->words[at] = m->class_of[t];
            its->more |= its->once & BIT(t);
            its->once |= BIT(t);
        } else if (is_mine) {
            its->foreign |= t != thread;
            m->words[at] = 0;
        } else {
            if (!note_name(c, t, first + (word)at)) return 0;
            m->words[at] = 0;
        }
        bits[k / 32] |= (word)1 << k % 32;
    }
    if (held > 0 && (its->handles = interner_number(&m->handles, handles, held)) == 0) return no_memory(c);
    its->masked = interner_number(&m->masked, m->words, length + (size_t)(count / 32 + 1));
    return its->masked != 0 || no_memory(c);
}

/* A part without ids; NULL: without memory. It is there until the next one is asked for. */
static const masked_part *without_ids(core *c, int column, uint32_t number, uint64_t mine) {
    symmetric *m = c->symmetric;
    masked_part *its = m->parts + (mixed(mine ^ (uint64_t)number << 8 ^ (uint64_t)column) & (MASKED_PARTS - 1));
    if (its->number == number && its->mine == mine && its->column == column) return its;
    *its = (masked_part){.mine = mine, .number = number, .column = column};
    m->noted_count = 0;
    int done = mask(c, its);
    if (done && m->noted_count > 0) {
        its->names = interner_number(&m->names, m->noted, m->noted_count);
        done = its->names != 0 || no_memory(c);
    }
    if (!done) its->number = 0;
    return done ? its : NULL;
}

static void see_handles(sight *of, const masked_part *its) {
    of->more |= its->more | (of->once & its->once);
    of->once |= its->once;
}

/* Looks at which handles `main` has. */
static int see_all_handles(core *c, const uint32_t *row, sight *of) {
    const masked_part *its;
    for (uint64_t rest = c->symmetric->chunks; rest != 0; rest &= rest - 1) {
        int column = __builtin_ctzll(rest);
        if ((its = without_ids(c, column, row[column], of->mine)) == NULL) return 0;
        see_handles(of, its);
    }
    if (!has_ids(c, of->main_at)) return 1;
    if ((its = without_ids(c, (int)c->chunks + 1, frame_in(c, row, 1), of->mine)) == NULL) return 0;
    see_handles(of, its);
    return 1;
}

/* -- joins ---------------------------------------------------------------------------------- */

/* Looks at what `main` joins, which stands in the region. */
static int see_joins(core *c, const uint32_t *row, sight *of, int thread) {
    symmetric *m = c->symmetric;
    word question[MOST_CHUNKS + 2] = {frame_in(c, row, 1), (word)of->present};
    size_t length = 2;
    for (uint64_t rest = m->chunks; rest != 0; rest &= rest - 1) {
        int column = __builtin_ctzll(rest);
        const masked_part *its = without_ids(c, column, row[column], of->mine);
        if (its == NULL) return 0;
        question[length++] = its->handles;
    }
    uint32_t number = interner_number(&m->questions, question, length);
    if (number == 0) return no_memory(c);
    if (!zeroed_room(c, (void **)&m->runs, &m->run_room, (size_t)number + 1, sizeof *m->runs)) return 0;
    joins *its = &m->runs[number];
    if (!its->asked) {
        its->any = c->tell(EVENT_JOINS, thread, 0);
        its->threads = m->runs[0].threads;
        its->asked = 1;
    }
    of->full = its->any;
    for (word k = 0; k < c->p.h.classes; k++) {
        uint64_t all = m->of_class[k] & of->mine;
        if ((all & its->threads) != 0 && (all & ~its->threads) != 0) of->full = 0;
    }
    of->joined = of->full ? its->threads : 0;
    return 1;
}

/* The reference answers which threads are joined. */
void core_joins(core *c, uint64_t threads) {
    if (c->symmetric != NULL && c->symmetric->run_room > 0) c->symmetric->runs[0].threads = threads;
}

/* -- keys ----------------------------------------------------------------------------------- */

static uint32_t numbered(core *c, const word *words, size_t length) {
    symmetric *m = c->symmetric;
    uint32_t number = interner_number(&m->signatures, words, length);
    if (number == 0) return no_memory(c), 0;
    if (!zeroed_room(c, (void **)&m->sorts, &m->sort_room, (size_t)number + 1, 1)) return 0;
    m->sorts[number] = (unsigned char)words[0];
    return number;
}

/* The signature of a thread of a class: that, whether it is held, where it stands, and which places name it. Returns
 * 0 without memory; `foreign`: whether it knows the id of another one. */
static uint32_t signature(core *c, const uint32_t *row, int t, uint64_t named, int *foreign) {
    symmetric *m = c->symmetric;
    int sort = m->class_of[t], is_held = (m->seen.once & BIT(t)) != 0;
    uint32_t frame = frame_in(c, row, t), usual = 0;
    int masks = has_ids(c, pc_of(c, frame));
    size_t at = 2 * ((size_t)frame * (size_t)c->p.h.classes + (size_t)sort) + (size_t)is_held;
    if (masks) {
        const masked_part *its = without_ids(c, (int)c->chunks + t, frame, m->seen.mine);
        if (its == NULL) return 0;
        *foreign |= its->foreign;
        frame = its->masked;
    } else if (!(named & BIT(t))) {
        if (!zeroed_room(c, (void **)&m->usual, &m->usual_room, at + 1, sizeof *m->usual)) return 0;
        if ((usual = m->usual[at]) != 0) return usual;
    }
    size_t length = 0;
    if (!room_for((void **)&m->noted, &m->noted_room, m->named_count + 4, sizeof *m->noted)) return no_memory(c), 0;
    word *its = m->noted;
    its[length++] = sort, its[length++] = is_held, its[length++] = masks, its[length++] = frame;
    for (size_t k = 0; k < m->named_count; k += 2)
        if (m->named[k] == t) its[length++] = m->named[k + 1];
    uint32_t number = numbered(c, its, length);
    if (!masks && !(named & BIT(t))) m->usual[at] = number;
    return number;
}

/* The state is its own key. */
static int key_itself(core *c, const uint32_t *row) {
    uint32_t *key = c->symmetric->key;
    *key++ = 1;
    for (size_t k = 0; k <= c->chunks; k++) *key++ = row[k];
    for (size_t t = 1; t <= c->columns; t++) *key++ = row[c->chunks + t], *key++ = 0;
    return 1;
}

/* The number of a part without ids; 0 without memory. What it holds and names is taken in. */
static uint32_t see_part(core *c, int column, uint32_t number, uint64_t *named) {
    symmetric *m = c->symmetric;
    const masked_part *its = without_ids(c, column, number, m->seen.mine);
    if (its == NULL) return 0;
    see_handles(&m->seen, its);
    if (its->names == 0) return its->masked;
    size_t most = m->names.ends[its->names] - m->names.ends[its->names - 1]; /* a word takes a byte at least */
    if (!room_for((void **)&m->named, &m->named_room, m->named_count + most, sizeof *m->named)) return no_memory(c), 0;
    size_t count = m->named_count + interner_words(&m->names, its->names, m->named + m->named_count);
    for (; m->named_count < count; m->named_count += 2) *named |= BIT(m->named[m->named_count]);
    return its->masked;
}

/* Sorts a number into `count` others, of which each second column has one. */
static void sort_in(uint32_t *sorted, size_t count, uint32_t number) {
    for (; count > 0 && sorted[2 * (count - 1)] > number; count--) sorted[2 * count] = sorted[2 * (count - 1)];
    sorted[2 * count] = number;
}

/* The key where threads of classes count as equal. */
static int key_of_classes(core *c, const uint32_t *row, int quietly) {
    symmetric *m = c->symmetric;
    uint32_t *key = m->key, *threads = key + before_threads(c);
    uint64_t named = 0;
    m->named_count = 0;
    key[0] = 0;
    for (size_t k = 0; k <= c->chunks; k++) {
        key[1 + k] = row[k];
        if (m->chunks >> k & 1 && (key[1 + k] = see_part(c, (int)k, row[k], &named)) == 0) return 0;
    }
    memset(threads, 0, 2 * c->columns * sizeof *threads);
    for (uint64_t rest = m->seen.present & ~m->seen.mine; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        uint32_t frame = frame_in(c, row, t), *its = threads + 2 * (t - 1);
        *its = 2 * frame;
        if (!has_ids(c, pc_of(c, frame))) continue;
        if ((*its = 2 * see_part(c, (int)c->chunks + t, frame, &named) + 1) == 1) return 0;
    }
    if (c->p.joins && m->seen.more & ~m->seen.joined)
        return apart(c, quietly, "main holds the handle of a thread twice");
    size_t count = 0;
    int foreign = 0;
    for (uint64_t rest = m->seen.mine; rest != 0; rest &= rest - 1) {
        uint32_t number = signature(c, row, __builtin_ctzll(rest) + 1, named, &foreign);
        if (number == 0) return 0;
        sort_in(threads + 1, count++, number);
    }
    return foreign ? key_itself(c, row) : 1;
}

int symmetric_key(core *c, int thread, int quietly) {
    symmetric *m = c->symmetric;
    const uint32_t *row = c->row;
    if (m->columns != c->columns) {
        m->columns = c->columns;
        table_widen(&m->keys, before_threads(c) + 2 * c->columns);
    }
    if (frame_in(c, row, 1) == 0) { /* the program has ended */
        m->seen = (sight){.main_at = ABSENT};
        return key_itself(c, row);
    }
    if (!see_threads(c, row, &m->seen, quietly)) return 0;
    if (is_between(c, m->seen.main_at)) {
        if (quietly && thread == 1 && !is_between(c, pc_of(c, frame_in(c, stored_top(c), 1)))) return 0;
        if (!see_joins(c, row, &m->seen, thread)) return 0;
        if (!m->seen.full) return key_itself(c, row);
    }
    return key_of_classes(c, row, quietly);
}

/* -- the search ----------------------------------------------------------------------------- */

enum added symmetric_add(core *c, int thread) {
    if (!symmetric_key(c, thread, 0)) return KNOWN; /* the search is over */
    return table_add(&c->symmetric->keys, c->symmetric->key);
}

enum met symmetric_find(core *c, int thread) {
    if (!symmetric_key(c, thread, 0)) return ON_PATH; /* the search is over */
    return table_find(&c->symmetric->keys, c->symmetric->key);
}

/* How many states those are that are the same but for a permutation of threads; 0: too many. */
static bits128 permutations(const core *c) {
    const symmetric *m = c->symmetric;
    const uint32_t *sorted = m->key + before_threads(c) + 1;
    bits128 ways = 1;
    int seen[MOST_CLASSES] = {0}, same = 0;
    for (size_t k = 0; m->key[0] == 0 && k < c->columns && sorted[2 * k] != 0; k++) {
        same = k > 0 && sorted[2 * k] == sorted[2 * (k - 1)] ? same + 1 : 1;
        if (__builtin_mul_overflow(ways, (bits128)++seen[m->sorts[sorted[2 * k]]], &ways)) return 0;
        ways /= (bits128)same;
    }
    return ways;
}

int symmetric_enter(core *c) {
    symmetric *m = c->symmetric;
    bits128 ways = permutations(c), before = m->stands_for;
    m->stands_for += ways;
    if (ways == 0 || m->stands_for < before) refuse(c, "more than 2**128 states, with permutations");
    return m->seen.main_at >= 0 && c->p.locations[m->seen.main_at].joins && (m->seen.joined & ~m->seen.ended) != 0;
}

void symmetric_leave(core *c, const frame *f) {
    symmetric *m = c->symmetric;
    if (f->moves != m->keys.moves) {
        memcpy(c->row, stored_top(c), c->states.width * sizeof *c->row);
        if (!symmetric_key(c, 0, 0)) return;
    }
    table_leave(&m->keys, m->key, f->place, f->moves);
}

int symmetric_look(core *c, const frame *f) {
    const uint32_t *row = c->row, *top = stored_top(c);
    word from = pc_of(c, frame_in(c, top, 1)), to = pc_of(c, frame_in(c, row, 1));
    int chooses = f->chosen > 0 && c->alternatives[f->chosen - 1] > 0, enters = is_between(c, to) && !is_between(c, from);
    if (f->thread != 1 || to == ABSENT || !(chooses || enters)) return 1;
    sight before, after;
    if (!see_threads(c, top, &before, 0) || !see_threads(c, row, &after, 0)) return 0;
    if (chooses) {
        if (!see_all_handles(c, top, &before) || !see_all_handles(c, row, &after)) return 0;
        if (after.once & before.present & ~before.once)
            return apart(c, 0, "an arbitrary value is taken for the handle of a thread");
    }
    if (!enters) return 1;
    if (!see_joins(c, row, &after, 1)) return 0;
    return after.full || apart(c, 0, "main joins some of them only, or does more between its joins");
}
