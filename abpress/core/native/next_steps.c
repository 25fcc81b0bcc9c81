/* Which threads can move after a prefix of the current execution, as `abpress/reductions/next_steps.py`: that
 * is looked for once, in the state of the machine or in one that it is taken back to. */
#include <string.h>

#include "executions.h"

/* The state of the machine is that of the node. */
static void look_here(core *c, size_t k, int thread) {
    uint32_t access = 0;
    int several = 0;
    enum outcome found = look_at(c, thread, &access, &several);
    node *n = &c->executions->nodes[k];
    if (found == REFUSED) return;
    n->looked |= BIT(thread);
    n->next[thread] = access;
    if (several) n->several |= BIT(thread);
    if (found == STEPS || found == VIOLATES) n->moves |= BIT(thread);
    if (found == AWAITS) n->awaits |= BIT(thread);
}

int can_move(core *c, size_t k, int thread) {
    executions *x = c->executions;
    const node *n = &x->nodes[k];
    if (!(n->threads & BIT(thread)) || c->over) return 0;
    if (!(n->looked & BIT(thread)) && k == x->event_count) {
        look_here(c, k, thread);
    } else if (!(n->looked & BIT(thread))) {
        cut removed;
        memset(&removed, 0xff, sizeof removed);
        for (size_t e = x->event_count; e-- > k;)
            removed.of[x->events[e].thread] = x->events[e].number;
        size_t changes = take_back(c, &removed);
        x->tried = &removed;
        look_here(c, k, thread);
        x->tried = NULL;
        restore(c, changes);
    }
    return (x->nodes[k].moves & BIT(thread)) != 0;
}

int next_enabled(core *c, size_t k, int after) {
    int first = c->executions->nodes[k].preferred;
    if (after == 0 && can_move(c, k, first)) return first;
    uint64_t rest = c->executions->nodes[k].threads & ~BIT(first);
    if (after != 0 && after != first) rest &= ~(2 * BIT(after) - 1);
    for (; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        if (can_move(c, k, t)) return t;
    }
    return 0;
}

int first_awake(core *c, size_t k, int first) {
    const node *n = &c->executions->nodes[k];
    uint64_t before = first != 0 ? BIT(first) : 0;
    if (before & ~n->asleep && can_move(c, k, first)) return first;
    for (uint64_t rest = n->threads & ~n->asleep & ~before; rest != 0; rest &= rest - 1) {
        int t = __builtin_ctzll(rest) + 1;
        if (can_move(c, k, t)) return t;
    }
    return 0;
}
