/* Random executions, in the words of `abpress/search/hunt`: the same draws make the same executions. */
#ifndef ABPRESS_HUNT_H
#define ABPRESS_HUNT_H

#include "machine.h"

/* The generator of Python, the Mersenne Twister. */
typedef struct {
    uint32_t its[624];
    size_t at;
} chance;

/* A number from 0 on, below 1; one of the first n numbers; and one that is distributed exponentially. */
double chance_random(chance *c);
size_t chance_below(chance *c, size_t n);
size_t chance_index(chance *c, size_t n);
double chance_exponential(chance *c, double mean);

/* The bounds of a domain, which are numbers of any sign. */
typedef struct {
    wide low, high;
} bounds_of_domain;

/* A choice of a step: an index, or the value that is chosen (`given`). */
typedef struct {
    wide its;
    int given;
} hunt_choice;

/* A step: its thread, and where its choices begin. */
typedef struct {
    int thread;
    size_t first;
} hunt_step;

typedef struct {
    hunt_step *steps;
    hunt_choice *choices;
    size_t count, room, choice_count, choice_room;
} hunt_path;

enum { MOST_PLACES = 1 << 12, ALL_PLACES = MOST_THREADS + 1 };

/* Threads by their places: the order of their creation, from 0 on. */
typedef struct {
    int its[MOST_PLACES];
    size_t count;
} hunt_list;

/* What lies ahead, by location, as of `Outlook`; `places` are locations before visible steps. */
typedef struct {
    unsigned char *errors, *near, *creates, *invisible;
    int watches; /* whether races are looked for */
    word *places;
    size_t place_count;
} outlook;

enum schedule { UNIFORM, STICKY, PRIORITIES, ROTATION, SCHEDULE_COUNT };
enum profile { SMALL, COUNTING, MIXED, CONSTANTS, EXTREMES, POWERS, PROFILE_COUNT };
enum { MOST_POINTS = 5 };

/* A `Scheduler` of `abpress/search/hunt/strategies.py`. */
typedef struct {
    enum schedule kind;
    int last, known[ALL_PLACES];
    double switches, noise, priorities[ALL_PLACES];
    double points[MOST_POINTS];
    size_t point_count, quanta[ALL_PLACES];
    int64_t patience, turn, steps, left, first;
} scheduler;

void scheduler_begin(scheduler *s, chance *c, enum schedule kind, double length);
int scheduler_next(scheduler *s, chance *c, const hunt_list *active);

/* How an execution ends, as `Way`; UNDER_WAY: it does not yet. */
enum way { UNDER_WAY, VIOLATION, ENDED, ABORTED, STUCK, CUT, LOST };

/* A strategy: how it schedules, and what else it does. */
typedef struct {
    int kind, delays, creators_first, few;
    double holding;
} strategy;

typedef struct hunt {
    chance chance;
    outlook *outlooks, *ahead; /* `ahead`: of the execution under way */
    size_t outlook_count, number_count;
    wide *numbers; /* of the program */
    bounds_of_domain *bounds;
    word aborted; /* how the program ends then; -1: never */
    enum profile profile;
    scheduler scheduler;
    strategy strategy;
    hunt_path path, before;         /* `before`: that of the last execution */
    hunt_choice taken[MOST_CHOICES]; /* in the step under way */
    const hunt_choice *forced;
    size_t taken_count, forced_count;
    int fault, noted; /* of a step: it ends the execution; of an execution: the reference has to look at it */
    hunt_list active, parked, pool, held;
    double until[MOST_PLACES], release, patience, bound, after, rest_at;
    size_t window, met;
    int threads[ALL_PLACES], place_of[MOST_THREADS + 1];
    int64_t decisions, woken_at, last_input, hopeful;
    int holding, rests, way, waits, delay_count;
    word delays[3];
    unsigned char *called; /* locations of which a step was attempted */
    uint64_t called_count;
    interner standing, pairs; /* threads as they stand; places of two */
    int64_t *looks;           /* by pairs */
    size_t look_room;
} hunt;

/* -- hunted.c -- */
/* Whether a step that is told of ends the execution, or has to be looked at by the reference. */
void hunt_told(core *c, int event, int thread, word at, word what);
/* One of so many alternatives, as `RandomInputs`; and a value of a domain. */
int hunt_choose(core *c, size_t width);
word hunt_pick(core *c, size_t domain, enum outcome *out);

/* -- watch.c -- */
/* Looks for races of the thread at a place with others, after a move. */
void watch(core *c, int place);

/* -- hunt.c -- */
void hunt_free(core *c);

#endif
