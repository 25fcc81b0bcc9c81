/* Parts of the tree of executions, NOTE(native-parts): a search goes to where one begins and explores
 * what is below, and hands over what others can have. The nodes on the way there, and those whose
 * branches were handed over, are frozen: the first ones of the path, whose branches somebody else
 * gives out. But for the last one of them they have no alternatives left. With wakeup trees, where threads
 * have choices, branches are threads, and what is planned below one is told by threads, NOTE(native-parts) (g). */
#include <string.h>

#include "executions.h"
#include "machine.h"

#define NO_WAY "internal error: the way to a part of the tree cannot be gone"

/* Enters the initial state, for the first part or a further one. */
void core_begin(core *c) {
    executions *x = c->executions;
    if (x->depth > 0) refuse(c, NO_WAY);
    if (c->over) return;
    c->full = 0;
    x->frozen = x->missing_count = 0;
    x->paused = 0, x->poll = 1;
    x->loose |= has_trees(c);
    executions_begin(c);
}

/* Whether the thread is one that can move at the last node, which is not under way. */
static int is_able(core *c, int thread) {
    executions *x = c->executions;
    if (c->over) return 0;
    if (thread >= 1 && thread < LANES && x->depth > 0 && x->nodes[x->depth - 1].current == 0 &&
        can_move(c, x->depth - 1, thread))
        return 1;
    refuse(c, NO_WAY);
    return 0;
}

/* Somebody explores the thread at the last node, or has done so, before what comes next here. */
void core_sleep(core *c, int thread) {
    if (!is_able(c, thread)) return;
    node *n = &c->executions->nodes[c->executions->depth - 1];
    n->asleep |= BIT(thread);
    n->sleep[thread] = n->next[thread];
}

/* Begins to explore the thread at the last node, which is frozen: so many alternatives (0: all) of
 * its step from the first one on. */
void core_branch(core *c, int thread, size_t first, size_t count) {
    executions *x = c->executions;
    if (!is_able(c, thread)) return;
    node *n = &x->nodes[x->depth - 1];
    n->record = 0, n->met = 0; /* others explore a part of what follows, NOTE(parallel-branches) (f) */
    n->plan_count = 1; /* what else is explored here, only the owner knows */
    n->plan[0] = (unsigned char)thread;
    x->frozen = x->depth;
    uint64_t races = x->race_number;
    executions_branch(c, thread);
    n = &x->nodes[x->depth - 1];
    if (c->over || (first == 0 && count == 0)) return;
    x->race_number = races; /* whoever has begun this has counted them */
    if (first >= n->left || count > n->left - first) {
        refuse(c, NO_WAY);
        return;
    }
    n->left = count == 0 ? n->left - first : count;
    n->next_number = first;
    for (; n->several & BIT(thread) && first > 0; first--)
        n->next_one += 1 + (size_t)c->alternatives[n->next_one];
}

/* Goes on by the step of that thread. */
void core_go(core *c) {
    executions *x = c->executions;
    if (c->over) return;
    if (x->depth == 0 || x->nodes[x->depth - 1].left != 1) {
        refuse(c, NO_WAY);
        return;
    }
    executions_take(c);
    if (c->over) return;
    if (x->frozen == x->depth) refuse(c, NO_WAY);
}

/* The threads that are still to be explored at a node. */
static uint64_t rest_of(const core *c, const node *n) {
    const branch *all = c->executions->wakeup.all;
    uint64_t without = n->done | (c->algorithm == INTERLEAVINGS ? 0 : n->asleep), rest = 0;
    for (int k = 0; k < n->plan_count; k++) rest |= BIT(n->plan[k]);
    for (uint32_t b = n->tree != 0 ? all[n->tree].first : 0; b != 0; b = all[b].next) rest |= BIT(all[b].its.thread);
    if (n->current != 0) without |= BIT(n->current);
    return rest & ~without;
}

/* Hands over what is left at the shallowest node that has something but what is under way: all its
 * threads, and half of the alternatives of the current one; it is frozen, with those before it.
 * Returns its number, -1 if there is none; how many nodes were frozen before, the first
 * alternative that is handed over and how many these are, and as of `core_counts`, in the order of
 * `tally`, what was done before the step under way there. */
long long core_split(core *c, uint64_t *told) {
    executions *x = c->executions;
    size_t from = x->frozen > 0 ? x->frozen - 1 : 0, end = x->depth;
    if (x->remembered_past.follows) end = x->remembered_past.own;
    for (size_t k = from; k + 1 < end && !c->over; k++) {
        node *n = &x->nodes[k];
        if (n->left == 0 && (k < x->frozen || rest_of(c, n) == 0)) continue;
        size_t given = (n->left + 1) / 2;
        x->loose |= has_trees(c);
        uint64_t rest = has_trees(c) && k >= x->frozen ? rest_of(c, n) : 0;
        for (; rest != 0; rest &= rest - 1) n->plan[n->plan_count++] = (unsigned char)(__builtin_ctzll(rest) + 1);
        n->left -= given;
        for (size_t j = from; j <= k; j++) x->nodes[j].record = 0;
        const tally *b = &n->before;
        const uint64_t its[] = {x->frozen, n->next_number + n->left, given, b->complete,
                                b->deadlocked, b->blocked, b->violating, b->sleep_blocked,
                                b->steps, b->races, b->cut};
        for (size_t j = 0; j < sizeof its / sizeof *its; j++) told[j] = its[j];
        if (x->frozen < k + 1) x->frozen = k + 1;
        return (long long)k;
    }
    return -1;
}

/* Of a node of the path: the current thread, which of its alternatives is under way, and how many
 * are left; the threads that are done, and those that are still to be explored. Returns 0 if
 * there is no such node. */
int core_node(const core *c, size_t k, uint64_t *told) {
    const executions *x = c->executions;
    if (k >= x->depth) return 0;
    const node *n = &x->nodes[k];
    told[0] = (uint64_t)n->current;
    told[1] = n->next_number - 1;
    told[2] = n->left;
    told[3] = n->done;
    told[4] = rest_of(c, n);
    return 1;
}

/* Says the branches of a tree, each before those below it: the thread, and how many steps it is from the root. */
static void say_plan(core *c, uint32_t tree) {
    executions *x = c->executions;
    wakeup_trees *w = &x->wakeup;
    size_t depth = 0;
    for (uint32_t b = tree != 0 ? w->all[tree].first : 0; b != 0 && !c->over;) {
        if (!numbers_add(&x->said, w->all[b].its.thread) || !numbers_add(&x->said, (int32_t)depth + 1) ||
            !room_for((void **)&w->copied, &w->copied_room, depth + 1, sizeof *w->copied)) {
            refuse(c, "memory is used up");
            return;
        }
        w->copied[depth++] = b;
        b = w->all[b].first;
        while (b == 0 && depth > 0) b = w->all[w->copied[--depth]].next;
    }
}

/* Says what is planned at a node, or below the thread under way there. */
void core_plans(core *c, size_t k, int below) {
    const executions *x = c->executions;
    if (!c->over && k < x->depth && has_trees(c)) say_plan(c, below ? x->nodes[k].below : x->nodes[k].tree);
}

/* The number of the n-th thread that another one creates, which need not have been met; 0 if there is none. */
int core_child(core *c, int creator, int n) {
    return c->over || creator < MAIN || creator > c->thread_count || n < 1 ? 0 : machine_child(c, creator, n);
}

/* Plans below the thread under way at the last node what was said so. */
void core_plan_below(core *c, const int32_t *its, size_t count) {
    executions *x = c->executions;
    wakeup_trees *w = &x->wakeup;
    size_t last = 0;
    if (c->over || count < 2) return;
    if (x->depth == 0 || !has_trees(c) || x->nodes[x->depth - 1].below != 0) {
        refuse(c, NO_WAY);
        return;
    }
    uint32_t root = x->nodes[x->depth - 1].below = tree_new(c);
    for (size_t k = 0; k + 1 < count && !c->over; k += 2) {
        size_t depth = its[k + 1] > 0 ? (size_t)its[k + 1] : 0;
        if (its[k] < 1 || its[k] >= LANES || depth == 0 || depth > last + 1 ||
            !room_for((void **)&w->copied, &w->copied_room, depth, sizeof *w->copied)) {
            refuse(c, NO_WAY);
            return;
        }
        uint32_t b = tree_add(c, depth == 1 ? root : w->copied[depth - 2], (item){its[k], 0});
        if (b == 0) return;
        w->all[b].uncertain = 1; /* what it accesses is not known */
        w->copied[depth - 1] = b, last = depth;
        count_more(w, 1);
    }
}

/* The threads of which one is to be explored at a frozen node that was told of. */
void core_wanted(const core *c, int *threads, size_t count) {
    for (size_t k = 0; k < count && k < LANES; k++) threads[k] = c->executions->wanted[k];
}

void part_misses(core *c, size_t k, const int *threads, size_t count) {
    executions *x = c->executions;
    uint64_t set = 0;
    if (x->nodes[k].asleep & BIT(threads[0])) return;
    for (size_t j = 0; j < count; j++) set |= BIT(threads[j]);
    for (size_t j = 0; j < x->missing_count; j++)
        if (x->missing[j].node == k && !(x->missing[j].threads & ~set)) return;
    if (!room_for((void **)&x->missing, &x->missing_room, x->missing_count + 1, sizeof *x->missing)) {
        refuse(c, "memory is used up");
        return;
    }
    x->missing[x->missing_count++] = (missing){k, set};
    memcpy(x->wanted, threads, count * sizeof *threads);
    if (c->tell(EVENT_MISSING, (int)k, (int)count)) c->over = 1;
}
