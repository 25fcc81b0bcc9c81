/* How much of the tree of executions is left, as far as the path tells: the two estimates of
 * [TreeSize06], see `abpress/search/estimate.py`. Nodes that are somebody else's have one branch. */
#include "executions.h"

/* What is planned at a node besides the branch under way. */
static size_t planned_at(const core *c, const node *n) {
    const branch *all = c->executions->wakeup.all;
    size_t count = 0;
    if (has_trees(c)) {
        for (uint32_t b = n->tree != 0 ? all[n->tree].first : 0; b != 0; b = all[b].next) count++;
        return count;
    }
    uint64_t without = n->done | BIT(n->current), rest = 0;
    if (c->algorithm != INTERLEAVINGS) without |= n->asleep;
    for (int k = 0; k < n->plan_count; k++) rest |= BIT(n->plan[k]);
    return (size_t)__builtin_popcountll(rest & ~without);
}

/* Tells how many executions are explored below the first node; the probability that a random walk
 * from there ends in them; how many there are by the recursive estimate; and how many branches are
 * planned. Returns 0 where nothing is known: the path ends where no step is to be taken; or branches
 * are much smaller than those before them, as with all threads but sleeping ones. */
int core_left(const core *c, double *told) {
    const executions *x = c->executions;
    size_t from = x->frozen > 0 ? x->frozen - 1 : 0;
    if (c->algorithm == SLEEP || x->depth <= from || x->nodes[x->depth - 1].left == 0) return 0;
    uint64_t now = executions_ended(c);
    double share = 0, weight = 1, size = 1, planned = 0;
    for (size_t k = x->depth; k-- > from;) {
        const node *n = &x->nodes[k];
        int is_top = k + 1 == x->depth, is_own = k >= x->frozen;
        double done = is_own ? __builtin_popcountll(n->done) : 0, more = is_own ? (double)planned_at(c, n) : 0;
        double taken = (double)n->next_number - !is_top, all = (double)(n->next_number + n->left);
        double before = is_own ? (double)(n->begun - n->entered) : 0;
        double explored = (double)((is_top ? now : x->nodes[k + 1].entered) - n->begun);
        if (is_top) size = taken > 0 ? explored / taken : done > 0 ? before / done : 1;
        size = before + (explored + size) * all / (taken + 1);
        size += more * size / (done + 1);
        planned += more;
    }
    for (size_t k = from; k < x->depth; k++) {
        const node *n = &x->nodes[k];
        int is_top = k + 1 == x->depth, is_own = k >= x->frozen;
        double done = is_own ? __builtin_popcountll(n->done) : 0, more = is_own ? (double)planned_at(c, n) : 0;
        weight /= done + more + 1;
        share += weight * done;
        weight /= (double)(n->next_number + n->left);
        share += weight * ((double)n->next_number - !is_top);
    }
    const node *first = &x->nodes[from];
    told[0] = (double)(now - (from < x->frozen ? first->begun : first->entered));
    told[1] = share, told[2] = size, told[3] = planned;
    return 1;
}
