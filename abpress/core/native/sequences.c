/* Sequences of events that can be executed after a prefix of an execution, as
 * `abpress/reductions/stateless/sequences.py`. */
#include <string.h>

#include "executions.h"

int any_weak_initial(core *c, const node *n, const item *v, size_t count) {
    footprints *f = &c->executions->footprints;
    uint64_t others = n->asleep;
    if (others == 0) return 0;
    sum_nothing(f);
    for (size_t k = 0; k < count; k++) {
        if (others & BIT(v[k].thread) && !conflicts_with_sum(f, v[k].access)) return 1;
        others &= ~BIT(v[k].thread);
        sum_up(f, v[k].access);
    }
    for (; others != 0; others &= others - 1)
        if (!conflicts_with_sum(f, n->sleep[__builtin_ctzll(others) + 1])) return 1;
    return 0;
}

int any_initial(core *c, const node *n, const item *v, size_t count, int thread) {
    footprints *f = &c->executions->footprints;
    uint64_t seen = 0;
    sum_nothing(f);
    for (size_t k = 0; k < count; k++) {
        int t = v[k].thread, is_first = !(seen & BIT(t));
        if ((n->asleep & BIT(t) || t == thread) && is_first && !conflicts_with_sum(f, v[k].access))
            return 1;
        seen |= BIT(t);
        sum_up(f, v[k].access);
    }
    return 0;
}

int take_out(core *c, item *v, size_t *count, int thread, uint32_t access) {
    return take_out_of(&c->executions->footprints, v, count, thread, access);
}

int take_out_of(footprints *f, item *v, size_t *count, int thread, uint32_t access) {
    sum_nothing(f);
    for (size_t k = 0; k < *count; k++) {
        if (v[k].thread == thread) {
            if (conflicts_with_sum(f, v[k].access)) return 0;
            memmove(v + k, v + k + 1, (--*count - k) * sizeof *v);
            return 1;
        }
        sum_up(f, v[k].access);
    }
    return access != 0 && !conflicts_with_sum(f, access);
}

size_t leading(core *c, const item *v, size_t count, int *threads) {
    footprints *f = &c->executions->footprints;
    size_t first[LANES], found = 0; /* of each thread: its first event that happens before the last */
    uint64_t known = BIT(v[count - 1].thread);
    first[v[count - 1].thread] = count - 1;
    sum_nothing(f);
    sum_up(f, v[count - 1].access);
    for (size_t k = count - 1; k-- > 0;) {
        if (!(known & BIT(v[k].thread)) && !conflicts_with_sum(f, v[k].access)) continue;
        known |= BIT(v[k].thread);
        first[v[k].thread] = k;
        sum_up(f, v[k].access);
    }
    for (size_t k = 0; k < count; k++)
        if (known & BIT(v[k].thread) && first[v[k].thread] == k) threads[found++] = v[k].thread;
    return found;
}
