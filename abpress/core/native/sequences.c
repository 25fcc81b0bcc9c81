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

void scan_begin(footprints *f, scan *s, item *v, size_t count) {
    s->v = v, s->count = count;
    s->looked = 0, s->seen = s->initials = 0;
    sum_nothing(f);
}

int scan_take_out(footprints *f, scan *s, int thread, uint32_t access) {
    if (s->looked == 0 && s->count > 0 && s->v->thread == thread) {
        s->v++, s->count--;
        return 1;
    }
    for (; !(s->seen & BIT(thread)) && s->looked < s->count; s->looked++) {
        item its = s->v[s->looked];
        if (!(s->seen & BIT(its.thread))) {
            s->seen |= BIT(its.thread);
            s->first[its.thread] = s->looked;
            if (!conflicts_with_sum(f, its.access)) s->initials |= BIT(its.thread);
        }
        sum_up(f, its.access);
    }
    if (!(s->seen & BIT(thread))) return access != 0 && !conflicts_with_sum(f, access);
    if (!(s->initials & BIT(thread))) return 0;
    size_t k = s->first[thread];
    memmove(s->v + 1, s->v, k * sizeof *s->v);
    scan_begin(f, s, s->v + 1, s->count - 1);
    return 1;
}

int take_out(core *c, item *v, size_t *count, int thread, uint32_t access) {
    scan s;
    scan_begin(&c->executions->footprints, &s, v, *count);
    int found = scan_take_out(&c->executions->footprints, &s, thread, access);
    *count = s.count;
    return found;
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
