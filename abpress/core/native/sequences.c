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

enum { FEW_WORDS = 4 };

/* Looks at items until one is of the thread. Where the compiler knows that sets of keys have few words,
 * their sum stays in registers. */
static inline __attribute__((always_inline)) void look_for(footprints *f, scan *s, int thread, size_t words) {
    uint64_t few[2 * FEW_WORDS], *sum = words > FEW_WORDS ? f->sum : few;
    uint64_t seen = s->seen, initials = s->initials;
    size_t looked = s->looked;
    if (words <= FEW_WORDS) memcpy(sum, f->sum, 2 * words * sizeof *sum);
    for (; !(seen & BIT(thread)) && looked < s->count; looked++) {
        item its = s->v[looked];
        const uint64_t *bits = f->bits + 2 * words * its.access;
        if (!(seen & BIT(its.thread))) {
            uint64_t both = 0;
            seen |= BIT(its.thread);
            s->first[its.thread] = looked;
#pragma GCC unroll 4
            for (size_t k = 0; k < words; k++) both |= (bits[k] & sum[words + k]) | (bits[words + k] & sum[k]);
            if (both == 0) initials |= BIT(its.thread);
        }
#pragma GCC unroll 8
        for (size_t k = 0; k < 2 * words; k++) sum[k] |= bits[k];
    }
    if (words <= FEW_WORDS) memcpy(f->sum, sum, 2 * words * sizeof *sum);
    s->looked = looked, s->seen = seen, s->initials = initials;
}

int scan_look(footprints *f, scan *s, int thread, uint32_t access) {
    if (f->observes) return take_out_observed(f, s->v, &s->count, thread, access);
    switch (f->words) {
    case 1: look_for(f, s, thread, 1); break;
    case 2: look_for(f, s, thread, 2); break;
    case 4: look_for(f, s, thread, 4); break;
    default: look_for(f, s, thread, f->words);
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
