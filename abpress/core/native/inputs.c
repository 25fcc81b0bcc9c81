/* Arbitrary values of random executions, as `abpress/search/hunt/inputs.py`. */
#include "hunt.h"

enum { FEW_VALUES = 4 };

static int bit_length(wide v) {
    int n = 0;
    for (bits128 rest = (bits128)(v < 0 ? -v : v); rest != 0; rest >>= 1) n++;
    return n;
}

/* A value of the domain that is tried, as the number that it is. */
static wide tried(hunt *h, const domain *d, const bounds_of_domain *its) {
    word v = d->values[chance_below(&h->chance, d->count)];
    return its->low >= 0 && v < 0 ? (wide)(uint64_t)v : (wide)v;
}

static wide constant(hunt *h) {
    chance *c = &h->chance;
    if (h->number_count == 0) return (wide)chance_below(c, 4);
    wide number = h->numbers[chance_below(c, h->number_count)];
    return number + (wide)chance_below(c, 3) - 1;
}

static wide extreme(hunt *h, const bounds_of_domain *its) {
    size_t k = chance_below(&h->chance, 4);
    return k == 0 ? its->low : k == 1 ? its->low + 1 : k == 2 ? its->high - 1 : its->high;
}

static wide power(hunt *h, const bounds_of_domain *its) {
    int bits = bit_length(its->high);
    wide magnitude = (wide)1 << chance_below(&h->chance, bits > 1 ? (size_t)bits : 1);
    return chance_random(&h->chance) < 0.5 ? magnitude : -magnitude;
}

static wide mixture(hunt *h, const domain *d, const bounds_of_domain *its) {
    double kind = chance_random(&h->chance);
    if (kind < 0.35) return tried(h, d, its);
    if (kind < 0.6) return constant(h);
    if (kind < 0.8) return (wide)chance_below(&h->chance, 41) - 10;
    if (kind < 0.9) return extreme(h, its);
    return power(h, its);
}

static wide drawn(hunt *h, const domain *d, const bounds_of_domain *its) {
    switch (h->profile) {
    case SMALL: return (wide)chance_below(&h->chance, 4);
    case COUNTING: return (wide)chance_below(&h->chance, 13);
    case CONSTANTS: return constant(h);
    case EXTREMES: return extreme(h, its);
    case POWERS: return power(h, its);
    case MIXED: case PROFILE_COUNT: break;
    }
    return mixture(h, d, its);
}

static wide value_of(hunt *h, const domain *d, const bounds_of_domain *its) {
    if (!d->loss && d->count <= FEW_VALUES) return tried(h, d, its);
    wide value = drawn(h, d, its);
    return value >= its->low && value <= its->high ? value : tried(h, d, its);
}

static int take(core *c, wide its, int given) {
    hunt *h = c->hunt;
    if (h->taken_count == MOST_CHOICES) return refuse(c, "too many choices in one step"), 0;
    h->taken[h->taken_count++] = (hunt_choice){its, given};
    return 1;
}

/* The next choice that is not left to chance; NULL if there is none. */
static const hunt_choice *forced(hunt *h) {
    if (h->forced_count == 0) return NULL;
    h->forced_count--;
    return h->forced++;
}

int hunt_choose(core *c, size_t width) {
    hunt *h = c->hunt;
    if (width == 1) return 0;
    const hunt_choice *its = forced(h);
    size_t k = its != NULL ? (size_t)its->its : chance_below(&h->chance, width);
    return k < width && take(c, (wide)k, 0) ? (int)k : -1;
}

word hunt_pick(core *c, size_t number, enum outcome *out) {
    hunt *h = c->hunt;
    const domain *d = &c->p.domains[number];
    const hunt_choice *its = forced(h);
    *out = STEPS;
    if (its == NULL && d->count == 0) {
        h->fault = 1;
        *out = ASSUMES;
        return 0;
    }
    wide value = its != NULL ? its->its : value_of(h, d, &h->bounds[number]);
    word found = (word)(uint64_t)value;
    if (is_content(found)) *out = refuse(c, "a number that the core has a use for");
    else if (!take(c, value, 1)) *out = REFUSED;
    return found;
}
