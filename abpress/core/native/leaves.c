/* Leaves of one wakeup tree, NOTE(native-leaves): a search by optimal DPOR explores what is below
 * them, one after the other. The nodes on the way to a leaf are frozen, they are those of who gives
 * leaves out (planner.c), who is told what is to be explored from them. Numbers of threads that are
 * given are those of that one; what is told has the numbers of this search. */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "planner.h"

#define NO_LEAF "internal error: the way to a leaf cannot be gone"

int numbers_add(numbers *list, int32_t number) {
    if (!room_for((void **)&list->its, &list->room, list->count + 1, sizeof number)) return 0;
    list->its[list->count++] = number;
    return 1;
}

static void say(core *c, size_t number) {
    if (!numbers_add(&c->executions->said, (int32_t)number)) refuse(c, "memory is used up");
}

/* A thread that is given, in the numbers of this search; 0 if it has not been met. */
static int own(core *c, int thread) {
    executions *x = c->executions;
    if (thread < MAIN || thread >= LANES) return 0;
    if (thread != MAIN && x->own[thread] == 0 && x->child[thread] != 0 && x->creator[thread] < thread)
        x->own[thread] = machine_child_met(c, own(c, x->creator[thread]), x->child[thread]);
    return thread == MAIN ? MAIN : x->own[thread];
}

/* That a thread that is given is the n-th that another one creates, which was given before. */
void core_known_thread(core *c, int thread, int creator, int n) {
    executions *x = c->executions;
    if (thread <= MAIN || thread >= LANES || creator < MAIN || creator >= thread) return;
    if (x->creator[thread] == creator && x->child[thread] == n) return;
    x->creator[thread] = creator, x->child[thread] = n;
    memset(x->own, 0, sizeof x->own);
}

static int is_able(core *c, int thread) {
    executions *x = c->executions;
    return !c->over && thread != 0 && x->nodes[x->depth - 1].current == 0 &&
           can_move(c, x->depth - 1, thread);
}

/* Begins to explore a thread at the last node, where these others were explored or are going to be
 * by somebody, before it. */
static int turn(core *c, uint64_t before, int thread) {
    executions *x = c->executions;
    for (; before != 0; before &= before - 1) {
        int t = own(c, __builtin_ctzll(before) + 1);
        if (!is_able(c, t)) return 0;
        node *n = &x->nodes[x->depth - 1];
        n->asleep |= BIT(t), n->done |= BIT(t);
        n->sleep[t] = n->next[t];
    }
    node *n = &x->nodes[x->depth - 1];
    n->record = 0, n->met = 0; /* others explore a part of what follows, NOTE(parallel-branches) (f) */
    thread = own(c, thread);
    if (!is_able(c, thread)) return 0;
    x->frozen = x->depth;
    executions_branch(c, thread);
    return !c->over && x->nodes[x->depth - 1].left == 1;
}

/* Goes to before the last step of the way to a leaf: of each turn two halves of the set of threads
 * before, and the thread. From the initial state, or at first as the leaf before it in the order of
 * the tree, as many steps as are `common`. Without a way the leaf is the initial state. */
static void go_to(core *c, int32_t common, const int32_t *way, size_t length) {
    executions *x = c->executions;
    int is_right = 1;
    if (common < 0) {
        executions_back(c, 0);
        x->frozen = 0;
        x->paused = 0, x->poll = 1;
        executions_begin(c);
    } else if (length > 0 && (size_t)common < x->depth) {
        executions_back(c, (size_t)common + 1);
    } else {
        is_right = 0;
    }
    c->full = 0;
    for (size_t k = 0; k + 2 < length && is_right && !c->over; k += 3) {
        size_t depth = x->depth;
        uint64_t before = (uint32_t)way[k] | (uint64_t)(uint32_t)way[k + 1] << 32;
        is_right = turn(c, before, way[k + 2]);
        if (!is_right || k + 3 >= length) break;
        executions_take(c);
        is_right = x->depth == depth + 1;
    }
    if (!is_right && !c->over && !x->footprints.stale) refuse(c, NO_LEAF);
}

/* Goes on behind a leaf in the list of those that were given. */
static int pass_leaf(core *c, size_t *at) {
    const int32_t *its = c->executions->leaves.its + *at;
    size_t left = c->executions->leaves.count - *at;
    if (left < 3 || its[0] <= 0 || its[2] < 0 || (size_t)its[2] > left - 3) return refuse(c, NO_LEAF), 0;
    *at += 3 + (size_t)its[2];
    return 1;
}

int leaf_next(core *c) {
    executions *x = c->executions;
    size_t from = x->next_leaf;
    x->leaves_done = x->leaf != 0 ? x->leaves_done + 1 : 0;
    if (x->stops || from == x->leaves.count || c->over || !pass_leaf(c, &x->next_leaf)) return 0;
    const int32_t *its = x->leaves.its + from;
    x->leaf = its[0];
    go_to(c, its[1], its + 3, (size_t)its[2]);
    return !c->over;
}

/* Goes to the first one of leaves, as `planner_give` tells of them. */
void core_leaves(core *c, const int32_t *its, size_t count) {
    executions *x = c->executions;
    x->leaves.count = x->next_leaf = 0;
    x->leaf = x->stops = 0;
    if (count == 0 || its[0] < 0 || (size_t)its[0] >= count) refuse(c, NO_LEAF);
    size_t from = c->over ? count : 1 + (size_t)its[0];
    if (!room_for((void **)&x->leaves.its, &x->leaves.room, count, sizeof *its)) refuse(c, "memory is used up");
    if (!c->over) memcpy(x->leaves.its, its + from, (count - from) * sizeof *its), x->leaves.count = count - from;
    leaf_next(c);
}

/* What is in a copy of the tree is not told; accesses have these numbers there, as far as they have some. */
void core_follow(core *c, struct planner *copy, const int32_t *known, size_t count) {
    executions *x = c->executions;
    x->copy = copy;
    x->known.count = 0;
    for (size_t k = 0; k < count; k++)
        if (!numbers_add(&x->known, known[k])) refuse(c, "memory is used up");
}

/* Whether the tree has a sequence for certain. */
static int is_there(core *c, size_t k, const item *v, size_t count) {
    executions *x = c->executions;
    if (x->copy == NULL) return 0;
    int found = copy_covers(x->copy, (uint32_t)x->leaf, k, v, count, &x->known);
    if (x->copy->bad != NULL) refuse(c, x->copy->bad);
    return found;
}

/* How many leaves are explored; all if none is under way. */
size_t core_leaves_done(const core *c) { return c->executions->leaves_done + (size_t)c->full; }

/* Room for what is said next; NULL without memory. */
static int32_t *said_next(core *c, size_t count) {
    numbers *said = &c->executions->said;
    if (!room_for((void **)&said->its, &said->room, said->count + count, sizeof *said->its)) {
        refuse(c, "memory is used up");
        return NULL;
    }
    said->count += count;
    return said->its + said->count - count;
}

/* Says the leaf and the first events of the execution, if those that were said last are others or fewer: from where on
 * they are, how many there are from there on, and what these access. */
static void say_events(core *c, size_t end) {
    executions *x = c->executions;
    size_t from = x->said_events, count = end > from ? end - from : 0;
    if (x->said_length == from && count == 0 && x->said_leaf == x->leaf) return;
    int32_t *its = said_next(c, count + 4);
    if (its == NULL) return;
    its[0] = ANOTHER, its[1] = x->leaf, its[2] = (int32_t)from, its[3] = (int32_t)count;
    for (size_t e = 0; e < count; e++) its[4 + e] = (int32_t)x->events[from + e].access;
    x->said_events = x->said_length = from + count;
    x->said_leaf = x->leaf;
}

/* Says a sequence: the node, what its last event accesses, and bits of the events behind the node's own that
 * it has besides, as the others take back what the race is about. With an observer of that, others come behind them,
 * and before the last one: what these access stands behind the bits, and how many they are, negative, before the last one. */
void leaf_misses(core *c, size_t k, const item *v, size_t count) {
    executions *x = c->executions;
    if (is_there(c, k, v, count)) return;
    size_t words = (x->event_count - k + 30) / 32, then = x->then_count;
    if (count != 1 + then + (words > 0 ? x->stay_count : 0)) refuse(c, "internal error: a sequence is no part of its execution");
    while (words > 0 && x->stays[words - 1] == 0) words--;
    say_events(c, words == 0 ? k : k + 1 + 32 * words - (size_t)__builtin_clz(x->stays[words - 1]));
    words = (x->said_events - k + 30) / 32;
    int32_t *its = said_next(c, words + 2 + (then > 0) + then);
    if (its == NULL) return;
    *its++ = (int32_t)k;
    if (then > 0) *its++ = -(int32_t)then;
    *its++ = (int32_t)v[count - 1].access;
    memcpy(its, x->stays, words * sizeof *its);
    for (size_t j = 0; j < then; j++) its[words + j] = (int32_t)v[count - 1 - then + j].access;
}

/* Whether no thread has had a choice. */
int core_certain(const core *c) { return !c->executions->uncertain; }

/* Whether the search rests at the end of the next execution. */
void core_stops(core *c, int stops) { c->executions->stops = stops; }

static void say_branches(core *c, uint32_t tree) {
    const branch *all = c->executions->wakeup.all;
    size_t count = 0;
    for (uint32_t b = all[tree].first; b != 0; b = all[b].next) count++;
    say(c, count);
}

/* Says how many branches a tree has, and of each the access and what is below. */
static void say_tree(core *c, uint32_t tree) {
    wakeup_trees *w = &c->executions->wakeup;
    size_t depth = 0;
    uint32_t b = w->all[tree].first;
    say_branches(c, tree);
    while (!c->over) {
        for (; b == 0 && depth > 0; b = w->all[w->copied[depth]].next) depth--;
        if (b == 0) return;
        say(c, w->all[b].its.access);
        say_branches(c, b);
        if (!room_for((void **)&w->copied, &w->copied_room, depth + 1, sizeof *w->copied))
            refuse(c, "memory is used up");
        else
            w->copied[depth++] = b, b = w->all[b].first;
    }
}

/* Says of a node from there on what the threads access that are done, then the one under way (0 if there is none),
 * and the wakeup tree. */
static void say_node(core *c, const node *n) {
    say(c, (size_t)__builtin_popcountll(n->done));
    for (uint64_t rest = n->done; rest != 0; rest &= rest - 1) say(c, n->sleep[__builtin_ctzll(rest) + 1]);
    say(c, n->current != 0 ? n->next[n->current] : 0);
    say_tree(c, n->tree);
}

/* Says what is left below the leaf where the search rests, as the nodes from there on. Nothing of it is
 * explored here any more. */
void core_rest(core *c) {
    executions *x = c->executions;
    if (x->depth == 0 || c->over) return;
    executions_back(c, x->depth);
    for (size_t k = x->frozen; k < x->depth && !c->over; k++) say_node(c, &x->nodes[k]), x->nodes[k].record = 0;
}

/* The first free node behind the first one that has something besides what is under way; 0 if there is none. */
static size_t free_node(const executions *x) {
    size_t k = x->frozen;
    while (k < x->depth && x->wakeup.all[x->nodes[k].tree].first == 0) k++;
    for (k++; k < x->depth; k++)
        if (x->nodes[k].is_free) return k;
    return 0;
}

/* The leaf that is explored begins at such a node from now on: says the nodes before, which are somebody else's. */
static int divide_leaf(core *c, uint64_t *told) {
    executions *x = c->executions;
    size_t free = free_node(x);
    if (free == 0) return 0;
    memcpy(told + 2, &x->nodes[free - 1].before, sizeof(tally));
    told[0] = x->leaves_done, told[1] = 1;
    for (size_t k = x->frozen; k < free && !c->over; k++) {
        say_node(c, &x->nodes[k]);
        tree_drop(c, x->nodes[k].tree);
        x->nodes[k].tree = tree_new(c);
        x->nodes[k].record = 0;
    }
    x->frozen = free;
    return 1;
}

/* Gives back the later half of the leaves that are not begun; or if there are none, some of the leaf that is explored,
 * which is said as by `core_rest`, and begins at a node further below from then on. Tells how many leaves are explored, and how many
 * of the others are kept; and as of `core_counts`, in the order of `tally`, what was done by then that is not below a leaf that is
 * kept. Returns 0 if there is nothing to give. */
int core_divide(core *c, uint64_t *told) {
    executions *x = c->executions;
    size_t count = 0, end = x->next_leaf;
    if (x->leaf == 0 || x->depth == 0 || c->over || c->full || x->remembered_past.follows) return 0;
    for (size_t at = end; at < x->leaves.count; count++)
        if (!pass_leaf(c, &at)) return 0;
    if (count == 0) {
        if (!divide_leaf(c, told)) return 0;
    } else if (x->frozen == 0) {
        return 0;
    } else {
        tally now = executions_tally(c);
        memcpy(told + 2, x->depth == x->frozen ? &now : &x->nodes[x->frozen - 1].before, sizeof now);
        told[0] = x->leaves_done, told[1] = 1 + count / 2;
        for (size_t k = 0; k < count / 2; k++) pass_leaf(c, &end);
        x->leaves.count = end;
    }
    x->leaves_done = 0;
    return 1;
}

/* What was said since this was called last, and how much. */
const int32_t *core_said(core *c, size_t *count) {
    executions *x = c->executions;
    *count = x->said.count;
    x->said.count = x->said_events = x->said_length = 0;
    x->said_leaf = 0;
    return x->said.its;
}

/* How many accesses have numbers, from 1 on. */
size_t core_accesses(const core *c) { return c->executions->footprints.known.count; }

/* Of an access its thread and whether it ends the program, and how many keys it reads and writes, which are named
 * behind that; returns how many words there are, of which at most so many are made. */
size_t core_access(const core *c, size_t access, word *words, size_t most) {
    const footprints *f = &c->executions->footprints;
    if (access == 0 || access > f->known.count) return 0;
    const footprint *its = &f->all[access];
    size_t length = 4 + KEY_WORDS * (size_t)(its->end - its->reads);
    if (length > most) return length;
    words[0] = its->thread, words[1] = its->ends;
    words[2] = its->writes - its->reads, words[3] = its->end - its->writes;
    for (uint32_t k = its->reads; k < its->end; k++)
        name_key(c, f->lists[k], words + 4 + KEY_WORDS * (size_t)(k - its->reads));
    return length;
}
