/* What a hunt has besides the program, which is given in words, as `hunt_words` (`abpress/core/hunt.py`). */
#include <stdlib.h>
#include <string.h>

#include "hunt.h"

static wide wide_of(const word *its) { return (wide)((bits128)(uint64_t)its[1] << 64 | (uint64_t)its[0]); }

static unsigned char *facts_of(const word **its, size_t count) {
    unsigned char *found = calloc(count + 1, 1);
    for (size_t k = 0; found != NULL && k < count; k++) found[k] = (*its)[k] != 0;
    *its += count;
    return found;
}

static int read_outlook(outlook *o, const word **its, const word *end, size_t locations) {
    if ((size_t)(end - *its) < 4 * locations + 2) return 0;
    o->errors = facts_of(its, locations), o->near = facts_of(its, locations);
    o->creates = facts_of(its, locations), o->invisible = facts_of(its, locations);
    o->watches = *(*its)++ != 0;
    word count = *(*its)++;
    if (count < 0 || count > end - *its) return 0;
    o->place_count = (size_t)count;
    o->places = malloc((o->place_count + 1) * sizeof *o->places);
    if (!o->errors || !o->near || !o->creates || !o->invisible || !o->places) return 0;
    memcpy(o->places, *its, o->place_count * sizeof *o->places);
    *its += count;
    return 1;
}

static int read_hunt(core *c, hunt *h, const word *its, const word *end) {
    const header *p = &c->p.h;
    if (end - its < 625 + 3) return 0;
    for (size_t k = 0; k < 624; k++) h->chance.its[k] = (uint32_t)*its++;
    if (*its < 0 || *its > 624) return 0;
    h->chance.at = (size_t)*its++;
    h->aborted = *its++;
    word numbers = *its++, outlooks = *its++;
    if (numbers < 0 || outlooks < 1 || outlooks > 1 << 10 || numbers > 1 << 20 ||
        end - its < 2 * numbers + 4 * p->domains)
        return 0;
    h->number_count = (size_t)numbers;
    h->numbers = calloc((size_t)numbers + 1, sizeof *h->numbers);
    h->bounds = calloc((size_t)p->domains + 1, sizeof *h->bounds);
    h->outlooks = calloc((size_t)outlooks, sizeof *h->outlooks);
    h->called = calloc((size_t)p->locations + 1, 1);
    if (!h->numbers || !h->bounds || !h->outlooks || !h->called) return 0;
    for (word k = 0; k < numbers; k++, its += 2) h->numbers[k] = wide_of(its);
    for (word k = 0; k < p->domains; k++, its += 4)
        h->bounds[k] = (bounds_of_domain){wide_of(its), wide_of(its + 2)};
    for (word k = 0; k < outlooks; k++) {
        h->outlook_count++;
        if (!read_outlook(&h->outlooks[k], &its, end, (size_t)p->locations)) return 0;
    }
    return its == end;
}

/* Makes this a hunt: of the state of a generator, how the program ends where it aborts, numbers, bounds of
 * domains, and for each property what lies ahead. Returns 0 if these are none. */
int core_hunt(core *c, const word *words, size_t count) {
    if (c->hunt != NULL) return 0;
    c->hunt = calloc(1, sizeof *c->hunt);
    return c->hunt != NULL && interner_new(&c->hunt->standing) && interner_new(&c->hunt->pairs) &&
           read_hunt(c, c->hunt, words, words + count);
}

void hunt_free(core *c) {
    hunt *h = c->hunt;
    if (h == NULL) return;
    for (size_t k = 0; k < h->outlook_count; k++) {
        outlook *o = &h->outlooks[k];
        free(o->errors), free(o->near), free(o->creates), free(o->invisible), free(o->places);
    }
    free(h->outlooks), free(h->numbers), free(h->bounds), free(h->called);
    interner_free(&h->standing), interner_free(&h->pairs), free(h->looks);
    free(h->path.steps), free(h->path.choices), free(h->before.steps), free(h->before.choices);
    free(h);
}
