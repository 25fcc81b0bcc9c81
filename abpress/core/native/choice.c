/* Choices of threads: which are explored at the nodes of the current execution, as `none.py`,
 * `sleep.py`, `source.py`, `persistent.py` and `optimal.py` in `abpress/reductions/stateless`. */
#include "executions.h"

static node *node_at(core *c, size_t k) { return &c->executions->nodes[k]; }

static void plan(node *n, int thread) { n->plan[n->plan_count++] = (unsigned char)thread; }

/* Sees to it that one of the threads is explored at the node: if none is planned, the first. */
static void require(core *c, size_t k, const int *threads, size_t count) {
    for (size_t j = 0; j < count; j++)
        if (is_planned(node_at(c, k), threads[j])) return;
    if (k < c->executions->frozen) part_misses(c, k, threads, count);
    else plan(node_at(c, k), threads[0]);
}

/* -- all threads ---------------------------------------------------------------------------- */

static void enter_all(core *c, size_t k) {
    for (int t = 0; (t = next_enabled(c, k, t)) != 0;) plan(node_at(c, k), t);
    if (c->algorithm == INTERLEAVINGS) node_at(c, k)->asleep = 0;
}

static int choose_planned(const core *c, const node *n) {
    uint64_t without = n->done | (c->algorithm == INTERLEAVINGS ? 0 : n->asleep);
    for (int k = 0; k < n->plan_count; k++)
        if (!(without & BIT(n->plan[k]))) return n->plan[k];
    return 0;
}

/* -- source and persistent sets ------------------------------------------------------------- */

/* Adds the last initial of v, unless there is one. */
static void add_initial(core *c, size_t k, const item *v, size_t count) {
    footprints *f = &c->executions->footprints;
    const node *n = node_at(c, k);
    uint64_t seen = 0;
    int initials[LANES];
    size_t found = 0;
    sum_nothing(f);
    for (size_t j = 0; j < count; j++) {
        int t = v[j].thread;
        if (!(seen & BIT(t)) && !conflicts_with_sum(f, v[j].access)) {
            if (n->asleep & BIT(t) || is_planned(n, t)) return;
            initials[LANES - ++found] = t;
        }
        seen |= BIT(t);
        sum_up(f, v[j].access);
    }
    require(c, k, initials + LANES - found, found);
}

/* NOTE(sleeping-choice). */
static void add_persistent(core *c, size_t k, const item *v, size_t count) {
    int last = v[count - 1].thread, threads[LANES];
    if (can_move(c, k, last)) {
        require(c, k, &last, 1);
        return;
    }
    size_t found = leading(c, v, count, threads), able = 0;
    for (size_t j = 0; j < found && !c->over; j++)
        if (can_move(c, k, threads[j])) threads[able++] = threads[j];
    if (able > 0) {
        require(c, k, threads, able);
        return;
    }
    for (int t = 0; (t = next_enabled(c, k, t)) != 0;) require(c, k, &t, 1);
}

/* -- optimal -------------------------------------------------------------------------------- */

static void enter_optimal(core *c, size_t k) {
    uint32_t tree = k > 0 ? node_at(c, k - 1)->below : 0;
    size_t nodes = 0;
    if (tree == 0) tree = tree_new(c);
    else if (c->executions->loose) tree = tree_copy(c, tree, &nodes);
    else node_at(c, k - 1)->below = 0;
    count_more(&c->executions->wakeup, nodes);
    node_at(c, k)->tree = tree;
    node_at(c, k)->below = 0;
    node_at(c, k)->is_free = c->executions->wakeup.all[tree].first == 0;
}

/* Adds a branch to a leaf: what is explored there is free. */
static void extend(core *c, size_t k) {
    int asleep = has_observers(c) ? any_slept(c, k) : node_at(c, k)->asleep != 0;
    if (!c->executions->loose && asleep && next_enabled(c, k, 0) != 0) {
        refuse(c, "internal error: optimal DPOR is about to explore something twice");
        return;
    }
    int thread = first_awake(c, k, 0); /* one order, as `optimal.py` has it */
    if (thread == 0) return;
    tree_add(c, node_at(c, k)->tree, (item){thread, node_at(c, k)->next[thread]});
    count_more(&c->executions->wakeup, 1);
}

static int choose_branch(core *c, size_t k) {
    wakeup_trees *w = &c->executions->wakeup;
    uint32_t tree = node_at(c, k)->tree;
    if (tree == 0) return 0;
    for (;;) {
        if (w->all[tree].first == 0 && !node_at(c, k)->done) extend(c, k);
        if (c->over || w->all[tree].first == 0) return 0;
        tree_drop(c, node_at(c, k)->below);
        uint32_t b = node_at(c, k)->below = tree_take_first(c, tree);
        w->now--;
        int thread = w->all[b].its.thread;
        if (can_move(c, k, thread) && !(node_at(c, k)->asleep & BIT(thread))) return thread;
        if (!c->executions->loose) {
            refuse(c, "internal error: a wakeup sequence that cannot be executed");
            return 0;
        }
    }
}

/* Whether v begins with what was explored from the node or from a prefix, NOTE(observed-redundancy). */
static int is_redundant(core *c, size_t k, item *v, size_t count) {
    const node *n = node_at(c, k);
    if (c->executions->loose) return any_initial(c, n, v, count, n->current); /* NOTE(branching-threads) */
    if (has_observers(c) ? any_sleeper(c, k, v, count) : any_weak_initial(c, n, v, count)) return 1;
    return n->current != 0 && take_out(c, v, &count, n->current, n->next[n->current]);
}

/* Inserts v, unless a branch that is done (asleep) or under way has it. */
static void insert(core *c, size_t k, item *v, size_t count) {
    wakeup_trees *w = &c->executions->wakeup;
    const node *n = node_at(c, k);
    if (n->tree == 0 || is_redundant(c, k, v, count)) return;
    if (k < c->executions->frozen) {
        if (c->executions->leaf != 0) leaf_misses(c, k, v, count);
        else add_initial(c, k, v, count);
        return;
    }
    size_t more = tree_insert(c, n->tree, v, count);
    if (more == 0) return;
    w->sequences++;
    w->new += more;
    count_more(w, more);
}

/* -- the choice of the algorithm ------------------------------------------------------------ */

void choice_enter(core *c) {
    size_t k = c->executions->depth - 1;
    int thread;
    switch (c->algorithm) {
    case PERSISTENT:
    case SOURCE:
    case CONTEXTS:
        thread = !(node_at(c, k)->asleep & BIT(MAIN)) && can_move(c, k, MAIN) ? MAIN : first_awake(c, k, node_at(c, k)->preferred);
        if (thread != 0) plan(node_at(c, k), thread);
        break;
    case OPTIMAL:
    case OPTIMAL_CONTEXTS:
    case OBSERVERS:
    case OBSERVED_CONTEXTS: enter_optimal(c, k); break;
    default: enter_all(c, k);
    }
}

int choice_choose(core *c) {
    size_t k = c->executions->depth - 1;
    if (k < c->executions->frozen) return 0;
    return has_trees(c) ? choose_branch(c, k) : choose_planned(c, node_at(c, k));
}

void choice_reverse(core *c, size_t k, item *v, size_t count) {
    switch (c->algorithm) {
    case PERSISTENT: add_persistent(c, k, v, count); /* fall through */
    case SOURCE:
    case CONTEXTS: add_initial(c, k, v, count); break;
    case OPTIMAL:
    case OPTIMAL_CONTEXTS:
    case OBSERVERS:
    case OBSERVED_CONTEXTS: insert(c, k, v, count); break;
    default: break;
    }
}

void choice_leave(core *c) {
    node *n = node_at(c, c->executions->depth - 1);
    tree_drop(c, n->tree);
    tree_drop(c, n->below);
}
