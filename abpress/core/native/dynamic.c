/* A dynamic reduction in the search that stores states, as `abpress/reductions/stateful/dynamic.py`: at
 * each state its algorithm is asked for more threads until those that are explored suffice. At the states
 * on cycles all threads are explored; these are the components of the graph, found on the way ([Tarjan72]). */
#include <stdlib.h>
#include <string.h>

#include "dynamic.h"

state_node *node_at_top(const core *c) { return &c->graph->nodes[c->depth - 1]; }

const next_steps *next_of(const core *c, const state_node *n, int thread) {
    if (n->safe) return &c->graph->next[n->next];
    return &c->graph->next[n->next + (size_t)__builtin_popcountll(n->threads & (BIT(thread) - 1))];
}

int graph_is_filtered(const core *c) { return c->algorithm != DE_POR && c->algorithm != DL_POR; }

static int is_eager(const core *c) {
    return c->algorithm == DE_S_POR || c->algorithm == DE_POR || is_by_races(c);
}

/* -- states --------------------------------------------------------------------------------- */

/* The length of a row without the columns of threads that there are not. */
static size_t length_of(const core *c, const uint32_t *row) {
    size_t length = c->states.width;
    while (length > 0 && row[length - 1] == 0) length--;
    return length;
}

/* The row as words; 0: without memory. */
static int write_words(graph *g, const uint32_t *row, size_t length) {
    if (!room_for((void **)&g->words, &g->word_room, length, sizeof *g->words)) return 0;
    for (size_t k = 0; k < length; k++) g->words[k] = row[k];
    return 1;
}

uint32_t graph_serial(core *c, const uint32_t *row, size_t length) {
    graph *g = c->graph;
    if (!write_words(g, row, length)) return refuse(c, "memory is used up"), 0;
    return interner_find(&g->states, g->words, length);
}

enum met graph_find(core *c) {
    uint32_t serial = graph_serial(c, c->row, length_of(c, c->row));
    return serial == 0 ? NEVER : c->graph->of[serial].left ? BEFORE : ON_PATH;
}

enum added graph_add(core *c) {
    graph *g = c->graph;
    size_t length = length_of(c, c->row), before = g->states.count;
    g->met = write_words(g, c->row, length) ? interner_number(&g->states, g->words, length) : 0;
    if (g->met == 0 || g->met >= MOST_VISITED || !room_for((void **)&g->of, &g->of_room, g->states.count + 1, sizeof *g->of))
        return NO_MEMORY;
    if (g->states.count == before) return KNOWN;
    g->of[g->met] = (visited_state){0};
    return ADDED;
}

/* -- components ----------------------------------------------------------------------------- */

static void reaches(graph *g, uint32_t state, uint32_t first) {
    if (first < g->of[state].low) g->of[state].low = first;
}

/* The state is left: whether no other one of its component is on the stack, which is then known. */
static int closes(core *c, uint32_t state) {
    graph *g = c->graph;
    if (g->of[state].low != state) return 0;
    size_t count = 0;
    uint32_t last;
    do {
        last = (uint32_t)g->open.its[--g->open.count];
        g->of[last].low = 0;
        g->of[last].cyclic = (last != state || count > 0) & 1;
        count++;
    } while (last != state);
    if (keeps_summaries(c)) summaries_complete(c, g->open.its + g->open.count, count);
    if (is_by_races(c) && count > 1) dpor_apply(c, state);
    if (c->algorithm == HYBRID && count > 1) hybrid_look_behind(c);
    return 1;
}

/* -- next steps ----------------------------------------------------------------------------- */

static int add_outcome(core *c, int violates, const uint32_t *row) {
    graph *g = c->graph;
    size_t length = violates ? 0 : length_of(c, row);
    int done = numbers_add(&g->outcomes, (int32_t)length) && numbers_add(&g->outcomes, 0);
    for (size_t k = 0; done && k < length; k++) done = numbers_add(&g->outcomes, (int32_t)row[k]);
    return done;
}

int graph_stays(core *c) {
    int stays = memcmp(c->row, stored_top(c), c->states.width * sizeof *c->row) == 0;
    node_at_top(c)->stays |= stays;
    return stays;
}

/* The outcomes of the attempt that the machine has made, which it takes back; returns how many, -1 without
 * memory. `goes_on`: one of them violates nothing. */
static int outcomes_of(core *c, frame *f, int thread, enum outcome found, int *goes_on) {
    size_t width, count = 0;
    int done = 1;
    if (c->taken_count > 0) {
        enum outcome why;
        int several = enumerate(c, f, thread, found, &why);
        c->alternative_count = f->alternatives;
        if (several < 0) return -1;
        width = c->states.width + 1, count = (size_t)several;
        for (size_t k = 0; done && k < count; k++) {
            const uint32_t *its = c->found + k * width;
            done = add_outcome(c, its[0] != 0, its + 1);
            *goes_on |= its[0] == 0;
        }
    } else if (found == VIOLATES) {
        done = add_outcome(c, 1, NULL), count = 1;
    } else if (found == STEPS) {
        done = stored_row(c, f->changes);
        if (done && !graph_stays(c)) done = add_outcome(c, 0, c->row), count = 1, *goes_on = 1;
    }
    machine_undo(c, f->changes);
    return done ? (int)count : (refuse(c, "memory is used up"), -1);
}

/* Looks at the next steps of a thread that change the state, and what all its attempts access. */
static void look_at_next(core *c, frame *f, int thread) {
    graph *g = c->graph;
    size_t at = g->outcomes.count;
    int goes_on = 0;
    if (!room_for((void **)&g->next, &g->next_room, g->next_count + 1, sizeof *g->next) ||
        !numbers_add(&g->outcomes, 0)) {
        refuse(c, "memory is used up");
        return;
    }
    footprint_begin(c);
    c->prefix_length = 0, c->records = 1;
    enum outcome found = machine_step(c, thread);
    int count = found == REFUSED || c->over ? -1 : outcomes_of(c, f, thread, found, &goes_on);
    c->prefix_length = 0, c->records = 0;
    uint32_t access = count < 0 || c->over ? 0 : footprint_end(c, thread, 1);
    if (access == 0) return;
    g->outcomes.its[at] = count;
    g->next[g->next_count++] = (next_steps){access, at};
    state_node *n = node_at_top(c);
    if (count > 0) n->moves |= BIT(thread);
    if (goes_on && !g->footprints.all[access].ends) n->goes_on |= BIT(thread);
}

/* -- the search ----------------------------------------------------------------------------- */

static void arrive(core *c, state_node *n, uint32_t serial) {
    graph *g = c->graph;
    int t = n->explored.order[n->explored.count - 1];
    if (!numbers_add(&g->arrivals, t) || !numbers_add(&g->arrivals, (int32_t)serial))
        refuse(c, "memory is used up");
}

void graph_enter(core *c, frame *f, int alone) {
    graph *g = c->graph;
    uint32_t serial = g->met;
    if (c->depth > 1) arrive(c, &g->nodes[c->depth - 2], serial);
    if (!room_for((void **)&g->nodes, &g->node_room, c->depth, sizeof *g->nodes) ||
        !numbers_add(&g->open, (int32_t)serial)) {
        refuse(c, "memory is used up");
        return;
    }
    g->of[serial].low = serial;
    g->nodes[c->depth - 1] = (state_node){
        .serial = serial, .threads = machine_threads(c), .next = g->next_count, .safe = alone != 0,
        .outcomes = g->outcomes.count, .arrivals = g->arrivals.count, .lazies = g->lazy_count,
        .race_searches = g->search_count,
        .entries = g->entry_count, .watched = g->watched_count};
    if (alone != 0) {
        list_thread(&node_at_top(c)->explored, alone);
        if (c->algorithm != HYBRID) return;
        look_at_next(c, f, alone);
        if (!c->over) hybrid_step(c, node_at_top(c));
        return;
    }
    for (uint64_t rest = node_at_top(c)->threads; rest != 0 && !c->over; rest &= rest - 1)
        look_at_next(c, f, __builtin_ctzll(rest) + 1);
    if (!c->over && is_eager(c)) de_enter(c, node_at_top(c));
    if (!c->over && c->algorithm == HYBRID) hybrid_enter(c, node_at_top(c));
}

int graph_choose(core *c) {
    state_node *n = node_at_top(c);
    uint64_t remaining = n->moves & ~n->explored.set;
    int t = 0;
    if (!n->cyclic && c->algorithm == HYBRID) t = hybrid_wanted(c, n);
    else if (!n->cyclic) t = is_eager(c) ? de_wanted(c, n) : dl_wanted(c, n);
    else if (remaining != 0) t = __builtin_ctzll(remaining) + 1;
    if (t == 0 || c->over) return 0;
    list_thread(&n->explored, t);
    if (is_eager(c)) de_step(c, n);
    if (c->algorithm == HYBRID) hybrid_step(c, n);
    return t;
}

void graph_meet(core *c) {
    graph *g = c->graph;
    state_node *n = node_at_top(c);
    arrive(c, n, g->met);
    if (g->of[g->met].low != 0) {
        n->cyclic = 1;
        reaches(g, n->serial, g->of[g->met].low);
    } else if (is_eager(c)) {
        de_meet(c, g->met);
    } else if (c->algorithm == HYBRID) {
        hybrid_meet(c);
    }
}

int graph_has_stayed(const core *c) { return node_at_top(c)->stays; }

void graph_leave(core *c) {
    graph *g = c->graph;
    state_node *n = node_at_top(c);
    g->of[n->serial].left = 1;
    if (keeps_summaries(c)) summaries_leave(c, n);
    else if (c->algorithm != HYBRID) futures_leave(c, n);
    if (c->algorithm == HYBRID) path_leave(c, n);
    n->hopeful = 0;
    if (is_eager(c)) de_leave(c, n);
    g->next_count = n->next, g->outcomes.count = n->outcomes, g->arrivals.count = n->arrivals;
    g->lazy_count = n->lazies, g->search_count = n->race_searches;
    uint32_t low = g->of[n->serial].low;
    if (closes(c, n->serial) || c->depth < 2) return;
    g->nodes[c->depth - 2].cyclic = 1;
    reaches(g, g->nodes[c->depth - 2].serial, low);
}

size_t graph_bytes(const graph *g) {
    size_t kept = interner_bytes(&g->summaries) + interner_bytes(&g->summary_sets);
    return interner_bytes(&g->states) + g->states.count * sizeof *g->of +
           g->moves.count * sizeof *g->moves.its + kept;
}

int graph_new(core *c) {
    c->graph = calloc(1, sizeof *c->graph);
    graph *g = c->graph;
    if (g == NULL) return 0;
    if (c->algorithm == HYBRID) g->points_to = calloc(LANES * (size_t)c->p.h.locations, sizeof *g->points_to);
    return (g->points_to || c->algorithm != HYBRID) && interner_new(&g->states) && interner_new(&g->summaries) &&
           interner_new(&g->summary_sets) && unions_new(&g->unions) && footprints_new(c) &&
           happens_before_new(&g->path);
}

void graph_free(core *c) {
    graph *g = c->graph;
    if (g == NULL) return;
    footprints_free(c);
    interner_free(&g->states), interner_free(&g->summaries), interner_free(&g->summary_sets);
    unions_free(&g->unions);
    for (size_t k = 0; k < g->lazies_made; k++)
        free(g->lazies[k].seen), free(g->lazies[k].todo.its), free(g->lazies[k].after);
    free(g->words), free(g->of), free(g->open.its), free(g->moves.its), free(g->nodes), free(g->next);
    free(g->outcomes.its), free(g->arrivals.its), free(g->lazies), free(g->entries), free(g->watched);
    o_dpor_free(g), happens_before_free(&g->path), free(g->traced.its);
    free(g->entered), free(g->first_summary), free(g->points_to), free(g->mentioned.its);
    free(g);
}
