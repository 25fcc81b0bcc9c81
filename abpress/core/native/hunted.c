/* One random execution after the other, as `abpress/search/hunt/execution.py`. More threads than the
 * core has make no crowd: what that file says of crowds is not here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hunt.h"

enum { WINDOW = 64, WOKEN_AT_ONCE = 8, TRIES_OF_STEP = 12, UNSEEN = 1000, MOST_AT_ONCE = 6, MORE_STEPS = 300 };

/* -- lists of threads ----------------------------------------------------------------------- */

static void add(core *c, hunt_list *list, int place) {
    if (list->count == MOST_PLACES) refuse(c, "threads that are held again and again");
    else list->its[list->count++] = place;
}

static void take_at(hunt_list *list, size_t k) {
    list->count--;
    memmove(list->its + k, list->its + k + 1, (list->count - k) * sizeof *list->its);
}

static void take_away(hunt_list *list, int place) {
    for (size_t k = 0; k < list->count; k++)
        if (list->its[k] == place) {
            take_at(list, k);
            return;
        }
}

static void add_all(core *c, hunt_list *list, hunt_list *from) {
    for (size_t k = 0; k < from->count; k++) add(c, list, from->its[k]);
    from->count = 0;
}

/* -- where threads stand -------------------------------------------------------------------- */

static word pc_at(const core *c, int place) { return thread_of(c, c->hunt->threads[place])[0]; }

static int is(const unsigned char *facts, word pc) { return pc >= 0 && facts[pc]; }

static size_t taking_part(const hunt *h) { return h->active.count + h->parked.count + h->held.count; }

/* A thread of the pool takes part. */
static void invite(core *c) {
    hunt *h = c->hunt;
    size_t k = chance_index(&h->chance, h->pool.count), last = h->pool.count - 1;
    int place = h->pool.its[k];
    h->pool.its[k] = h->pool.its[last];
    h->pool.count--;
    add(c, &h->active, place);
}

static void place_thread(hunt *h, int thread, size_t place) {
    h->threads[place] = thread;
    h->place_of[thread] = (int)place;
}

/* Takes note of new threads, at most one after each step but for the first. */
static void meet(core *c, int thread) {
    hunt *h = c->hunt;
    int place = (int)h->met;
    place_thread(h, thread, h->met++);
    h->hopeful += is(h->ahead->errors, pc_at(c, place));
    add(c, taking_part(h) < h->window ? &h->active : &h->pool, place);
}

static double next_rest(hunt *h) { return (double)(h->met + 1 + chance_below(&h->chance, MOST_AT_ONCE)); }

/* -- held threads --------------------------------------------------------------------------- */

static void hold(core *c, int place, double patience) {
    hunt *h = c->hunt;
    take_away(&h->active, place);
    if (patience < INFINITY) patience = 1 + floor(chance_exponential(&h->chance, patience));
    double until = (double)h->decisions + patience;
    if (h->held.count < MOST_PLACES) h->until[h->held.count] = until;
    add(c, &h->held, place);
    if (until < h->release) h->release = until;
}

static void release_held(core *c) {
    hunt *h = c->hunt;
    size_t kept = 0;
    h->release = INFINITY;
    for (size_t k = 0; k < h->held.count; k++) {
        if (h->until[k] <= (double)h->decisions) {
            add(c, &h->active, h->held.its[k]);
            continue;
        }
        h->held.its[kept] = h->held.its[k], h->until[kept] = h->until[k];
        if (h->until[kept] < h->release) h->release = h->until[kept];
        kept++;
    }
    h->held.count = kept;
}

static void release_all(core *c) {
    for (size_t k = 0; k < c->hunt->held.count; k++) c->hunt->until[k] = 0;
    release_held(c);
}

static int is_held(const hunt *h, word before, word after) {
    if (h->holding && is(h->ahead->near, after) && !is(h->ahead->near, before)) return 1;
    for (int k = 0; k < h->delay_count; k++)
        if (h->delays[k] == after) return after != before;
    return 0;
}

/* -- steps ---------------------------------------------------------------------------------- */

/* Adds the step to the path, with the choices that were taken. */
static void keep(core *c, int thread) {
    hunt *h = c->hunt;
    hunt_path *p = &h->path;
    if (!room_for((void **)&p->steps, &p->room, p->count + 2, sizeof *p->steps) ||
        !room_for((void **)&p->choices, &p->choice_room, p->choice_count + h->taken_count + 1, sizeof *p->choices)) {
        refuse(c, "memory is used up");
        return;
    }
    p->steps[p->count++] = (hunt_step){thread, p->choice_count};
    memcpy(p->choices + p->choice_count, h->taken, h->taken_count * sizeof *h->taken);
    p->choice_count += h->taken_count;
    p->steps[p->count].first = p->choice_count;
    h->taken_count = 0;
}

static enum outcome attempt(core *c, int thread) {
    hunt *h = c->hunt;
    h->fault = 0;
    word pc = thread_of(c, thread)[0];
    if (pc < 0) return ASSUMES;
    if (!h->called[pc]) h->called[pc] = 1, h->called_count++;
    c->steps++;
    return machine_step(c, thread);
}

static void wake(core *c) {
    hunt *h = c->hunt;
    if (h->parked.count <= WOKEN_AT_ONCE) {
        add_all(c, &h->active, &h->parked);
        return;
    }
    for (int n = 0; n < 2; n++) {
        size_t k = chance_index(&h->chance, h->parked.count);
        int place = h->parked.its[k];
        take_at(&h->parked, k);
        add(c, &h->active, place);
    }
}

/* Takes note of a decision that has led a thread from one location to another, before which so many were met. */
static void moved(core *c, int place, word before, word after, size_t met) {
    hunt *h = c->hunt;
    int created = h->met > met;
    h->decisions++;
    for (size_t k = met; h->ahead->watches && k < h->met && h->way == UNDER_WAY; k++) watch(c, (int)k);
    if (h->ahead->watches && h->way == UNDER_WAY) watch(c, place);
    if (is(h->ahead->errors, before) && !is(h->ahead->errors, after) && --h->hopeful == 0) {
        h->way = ENDED;
        return;
    }
    if (after < 0) {
        take_away(&h->active, place);
        if (h->pool.count > 0 && taking_part(h) < h->window) invite(c);
    } else if (created && (double)h->met >= h->rest_at) {
        h->rest_at = next_rest(h);
        hold(c, place, INFINITY);
    } else if (is_held(h, before, after)) {
        hold(c, place, h->patience);
    }
    if (h->parked.count > 0) wake(c);
    double length = (double)h->path.count;
    if (length <= h->bound || length <= h->after) return;
    if (h->held.count == 0) {
        h->way = CUT;
        return;
    }
    h->bound = length + MORE_STEPS;
    h->after = 0;
    release_all(c);
    h->holding = 0;
}

/* A thread that the step of another has created, and nobody has met; 0 if there is none. */
static int next_created(const core *c, int after) {
    const hunt *h = c->hunt;
    for (int t = after + 1; t <= c->thread_count; t++)
        if (thread_of(c, t)[0] != ABSENT && h->place_of[t] < 0) return t;
    return 0;
}

/* A step of the thread, and those after it that nobody else sees. */
static void move(core *c, int place) {
    hunt *h = c->hunt;
    int thread = h->threads[place], tries = TRIES_OF_STEP;
    word before = pc_at(c, place), after = before;
    size_t first = h->path.count;
    for (;;) {
        int chosen;
        enum outcome found = attempt(c, thread);
        if (c->over) return;
        if (found == STEPS) {
            if (h->taken_count > 0) h->last_input = (int64_t)h->path.count;
            keep(c, thread);
            if (c->over) return;
            if (c->s[c->status] != 0) {
                h->way = c->s[c->status] - 1 == h->aborted ? ABORTED : ENDED;
                return;
            }
            after = pc_at(c, place);
            if (!is(h->ahead->invisible, after) || h->path.count > first + UNSEEN) break;
        } else if (found == VIOLATES || h->fault) {
            keep(c, thread);
            h->forced_count = 0;
            h->way = h->fault ? LOST : VIOLATION;
            return;
        } else {
            chosen = h->taken_count > 0;
            h->taken_count = 0;
            if (chosen && --tries > 0) continue;
            h->waits = found;
            take_away(&h->active, place);
            add(c, &h->parked, place);
            break;
        }
    }
    if (h->path.count == first || c->over) return;
    size_t met = h->met;
    for (int t = next_created(c, 0); t != 0; t = next_created(c, t)) meet(c, t);
    moved(c, place, before, after, met);
}

/* -- executions ----------------------------------------------------------------------------- */

/* Nobody is active: those that wait, else those that are held, else one of the pool is. */
static int refill(core *c) {
    hunt *h = c->hunt;
    if (h->parked.count > 0 && h->woken_at != h->decisions) {
        h->woken_at = h->decisions;
        add_all(c, &h->active, &h->parked);
    } else if (h->held.count > 0) {
        release_all(c);
    } else if (h->pool.count > 0) {
        invite(c);
    }
    return h->active.count > 0;
}

static int next_thread(core *c) {
    hunt *h = c->hunt;
    for (size_t k = 0; h->strategy.creators_first && k < h->active.count; k++)
        if (is(h->ahead->creates, pc_at(c, h->active.its[k]))) return h->active.its[k];
    return scheduler_next(&h->scheduler, &h->chance, &h->active);
}

static void restart(core *c) {
    hunt *h = c->hunt;
    machine_undo(c, 0);
    for (int t = 0; t <= MOST_THREADS; t++) h->place_of[t] = -1;
    hunt_path last = h->before;
    h->before = h->path, h->path = last;
    h->path.count = h->path.choice_count = 0;
    h->active.count = h->parked.count = h->pool.count = h->held.count = 0;
    h->met = h->taken_count = h->forced_count = 0;
    h->decisions = h->hopeful = 0;
    h->last_input = h->woken_at = -1;
    h->release = INFINITY;
    h->way = UNDER_WAY, h->waits = ASSUMES, h->noted = 0;
}

/* The locations at which threads are delayed: as `Random.sample` draws them. */
static void draw_delays(hunt *h) {
    size_t n = h->ahead->place_count, wanted = 1 + chance_below(&h->chance, 3), pool[21];
    if (wanted > n) wanted = n;
    h->delay_count = (int)wanted;
    for (size_t k = 0; n <= 21 && k < n; k++) pool[k] = k;
    for (size_t k = 0; k < wanted; k++) {
        size_t j = chance_below(&h->chance, n <= 21 ? n - k : n);
        word its = h->ahead->places[n <= 21 ? pool[j] : j];
        if (n <= 21) pool[j] = pool[n - k - 1];
        int again = 0;
        for (size_t i = 0; n > 21 && i < k; i++) again |= h->delays[i] == its;
        if (again) k--;
        else h->delays[k] = its;
    }
}

/* Begins an execution that is expected to have so many decisions; 0: there is none like that. */
int core_hunt_begin(core *c, const int *numbers, double holding, double length, double bound) {
    hunt *h = c->hunt;
    static const double patience[] = {5, 30, INFINITY};
    int guide = numbers[0], kind = numbers[1], profile = numbers[5];
    if (h == NULL || c->over || guide < 0 || (size_t)guide >= h->outlook_count || kind < 0 ||
        kind >= SCHEDULE_COUNT || profile < 0 || profile >= PROFILE_COUNT)
        return 0;
    chance *its = &h->chance;
    h->ahead = &h->outlooks[guide];
    h->strategy = (strategy){kind, numbers[2], numbers[3], numbers[4], holding};
    h->profile = (enum profile)profile, h->rests = numbers[6], h->bound = bound;
    scheduler_begin(&h->scheduler, its, (enum schedule)kind, length);
    h->holding = chance_random(its) < holding;
    h->delay_count = 0;
    if (h->strategy.delays) draw_delays(h);
    h->patience = patience[chance_below(its, 3)];
    h->window = h->strategy.few ? 2 + chance_below(its, 4) : WINDOW;
    h->after = floor(300 * pow(66, chance_random(its)));
    restart(c);
    meet(c, 1);
    h->rest_at = h->rests ? next_rest(h) : INFINITY;
    return 1;
}

/* Takes the steps of the last execution up to its last input, and one more of the thread of that; what it
 * chooses is chosen anew. */
void core_hunt_repeat(core *c, size_t count) {
    hunt *h = c->hunt;
    const hunt_path *last = &h->before;
    if (h == NULL || c->over || count >= last->count) return;
    for (size_t k = 0; k < count; k++) {
        const hunt_step *its = &last->steps[k];
        h->forced = last->choices + its->first, h->forced_count = its[1].first - its->first;
        enum outcome found = attempt(c, its->thread);
        if (found != STEPS || c->s[c->status] != 0) refuse(c, "internal error: a step that is none");
        if (c->over) return;
        keep(c, its->thread);
        for (int t = next_created(c, 0); t != 0; t = next_created(c, t)) place_thread(h, t, h->met++);
    }
    h->hopeful = 0, h->active.count = h->pool.count = 0;
    int first = h->place_of[last->steps[count].thread];
    if (first < 0 || pc_at(c, first) < 0) refuse(c, "internal error: a thread that is none");
    if (c->over) return;
    add(c, &h->active, first);
    for (int place = 0; place < (int)h->met; place++) {
        h->hopeful += is(h->ahead->errors, pc_at(c, place));
        if (place != first && pc_at(c, place) >= 0) add(c, &h->active, place);
    }
    move(c, first);
}

/* Goes on for so many steps, and to the next decision. Returns how the execution has ended, if it has; and
 * tells its steps and decisions, where the last input is chosen (-1: nowhere), threads, whether the last one
 * that has stopped waits for an assumption; whether the reference has to look at it; and locations that were
 * left in all executions. */
int core_hunt_run(core *c, uint64_t poll, int64_t *told) {
    hunt *h = c->hunt;
    if (h == NULL || h->ahead == NULL) return UNDER_WAY;
    uint64_t until = h->path.count + poll;
    while (h->way == UNDER_WAY && !c->over && h->path.count < until) {
        if (h->release <= (double)h->decisions) release_held(c);
        if (h->active.count == 0 && !refill(c)) h->way = STUCK;
        else move(c, next_thread(c));
    }
    told[0] = (int64_t)h->path.count, told[1] = h->decisions, told[2] = h->last_input;
    told[3] = (int64_t)h->met, told[4] = h->waits == ASSUMES, told[5] = h->noted;
    told[6] = (int64_t)h->called_count;
    return h->way;
}

/* A step of the execution: its thread, and how many choices it has; of each whether it is given, and two
 * words of what it is, the lower one first. Returns -1 if there is none. */
int core_hunt_step(const core *c, size_t k, int *thread, int64_t *choices) {
    const hunt *h = c->hunt;
    if (h == NULL || k >= h->path.count) return -1;
    const hunt_step *its = &h->path.steps[k];
    size_t count = its[1].first - its->first;
    *thread = its->thread;
    for (size_t j = 0; j < count; j++) {
        const hunt_choice *one = &h->path.choices[its->first + j];
        choices[3 * j] = one->given;
        choices[3 * j + 1] = (int64_t)(uint64_t)one->its, choices[3 * j + 2] = (int64_t)(one->its >> 64);
    }
    return (int)count;
}

double core_hunt_random(core *c) { return c->hunt != NULL ? chance_random(&c->hunt->chance) : 0; }

/* -- what is told --------------------------------------------------------------------------- */

void hunt_told(core *c, int event, int thread, word at, word what) {
    hunt *h = c->hunt;
    if (event == EVENT_FAULT) {
        h->fault = 1;
        return;
    }
    const word key[] = {at, thread, what};
    size_t before = c->told.count;
    if (interner_number(&c->told, key, 3) == 0) refuse(c, "memory is used up");
    else if (c->told.count > before) h->noted = 1;
}
