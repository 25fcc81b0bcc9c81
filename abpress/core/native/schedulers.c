/* Who moves next in a random execution, as `abpress/search/hunt/strategies.py`. */
#include <math.h>
#include <string.h>

#include "hunt.h"

static int is_in(const hunt_list *list, int place) {
    for (size_t k = 0; k < list->count; k++)
        if (list->its[k] == place) return 1;
    return 0;
}

static int any_of(chance *c, const hunt_list *active) { return active->its[chance_index(c, active->count)]; }

/* -- priorities ----------------------------------------------------------------------------- */

static void begin_priorities(scheduler *s, chance *c, double length) {
    s->point_count = chance_below(c, MOST_POINTS + 1);
    for (size_t k = 0; k < s->point_count; k++) {
        double point = floor(chance_random(c) * length);
        size_t j = k;
        for (; j > 0 && s->points[j - 1] < point; j--) s->points[j] = s->points[j - 1];
        s->points[j] = point;
    }
    s->patience = (int64_t)(50 * pow(40, chance_random(c)));
}

static int next_priority(scheduler *s, chance *c, const hunt_list *active) {
    int best = active->its[0];
    for (size_t k = 0; k < active->count; k++) {
        int place = active->its[k];
        if (!s->known[place]) s->priorities[place] = chance_random(c), s->known[place] = 1;
    }
    for (size_t k = 1; k < active->count; k++)
        if (s->priorities[active->its[k]] > s->priorities[best]) best = active->its[k];
    s->steps++;
    if (best == s->last) s->turn++;
    else s->last = best, s->turn = 0;
    if (s->point_count > 0 && (double)s->steps > s->points[s->point_count - 1]) {
        s->point_count--;
        s->priorities[best] = -(double)s->steps;
    } else if (s->turn > s->patience) {
        s->turn = 0;
        s->priorities[best] = -(double)s->steps;
    }
    return best;
}

/* -- rotation ------------------------------------------------------------------------------- */

static void begin_rotation(scheduler *s, chance *c) {
    static const int64_t first[] = {0, 0, 4, 16};
    s->first = first[chance_below(c, 4)];
    s->noise = chance_random(c) < 0.5 ? 0.1 * chance_random(c) : 0.0;
}

static int next_in_turn(scheduler *s, chance *c, const hunt_list *active) {
    if (s->noise != 0 && chance_random(c) < s->noise) return any_of(c, active);
    if (s->left != 0 && is_in(active, s->last)) {
        s->left--;
        return s->last;
    }
    int least = -1, later = -1;
    for (size_t k = 0; k < active->count; k++) {
        int place = active->its[k];
        if (least < 0 || place < least) least = place;
        if (place > s->last && (later < 0 || place < later)) later = place;
    }
    s->last = later >= 0 ? later : least;
    size_t *quantum = &s->quanta[s->last];
    int64_t more = 0;
    if (*quantum == 0) {
        *quantum = 1 + chance_below(c, 4);
        more = (int64_t)chance_below(c, (size_t)s->first + 1);
    }
    s->left = (int64_t)*quantum - 1 + more;
    return s->last;
}

/* ------------------------------------------------------------------------------------------- */

void scheduler_begin(scheduler *s, chance *c, enum schedule kind, double length) {
    memset(s, 0, sizeof *s);
    s->kind = kind, s->last = -1;
    if (kind == STICKY) s->switches = 0.3 * chance_random(c);
    if (kind == PRIORITIES) begin_priorities(s, c, length);
    if (kind == ROTATION) begin_rotation(s, c);
}

int scheduler_next(scheduler *s, chance *c, const hunt_list *active) {
    if (s->kind == PRIORITIES) return next_priority(s, c, active);
    if (s->kind == ROTATION) return next_in_turn(s, c, active);
    if (s->kind == STICKY) {
        if (!is_in(active, s->last) || chance_random(c) < s->switches) s->last = any_of(c, active);
        return s->last;
    }
    return any_of(c, active);
}
