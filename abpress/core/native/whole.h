/* Races of whole executions: with observers (`abpress/relations/observed.py`), and with what is remembered of
 * states (`abpress/reductions/stateless/remembered.py`). */
#ifndef ABPRESS_WHOLE_H
#define ABPRESS_WHOLE_H

#include "footprints.h"

struct executions;
struct node;

/* Lists of events: 0 is none. */
typedef struct {
    int32_t event;
    uint32_t key, next;
} linked;

/* What an event directly depends on, `fixed` in any order; who reads what it has written, and where. */
typedef struct {
    uint32_t fixed, before, readers;
} observed_event;

/* The last write that is observed, who has read it or the initial value, and the writes since then. */
typedef struct {
    uint32_t stamp;
    int32_t writer;
    uint32_t readers, blind;
} observed_cell;

/* A thread of the sleep set of a prefix that is a weak initial still: `over` if it has come since. What
 * of its blind writes is overwritten is a set of bits of its own. */
typedef struct {
    item its;
    int over;
} sleeper;

/* Of an execution that has ended, with observers; and the sleepers of the nodes of the path. */
typedef struct {
    linked *links;
    observed_event *events;
    observed_cell *cells; /* by keys */
    int32_t *earlier;
    size_t link_count, link_room, event_room, cell_room, earlier_room;
    uint32_t stamp;
    sleeper *sleepers;
    uint64_t *sets;
    size_t sleeper_count, sleeper_room, words;
} observed;

/* Of a record: a step that was explored from its state, and the record of where that leads. */
typedef struct {
    item its;
    uint32_t then, next;
} known_step;

typedef struct {
    item its;
    uint32_t next;
} waiting_thread;

/* As `Record`: the number of its state (0: a step to there violates a property), what slept there, its steps,
 * threads that waited at its node, and at that and its copy, and the next record of the state. With observers
 * what slept are sleepers, and their sets, of so many words; and so is the set of the keys that are `live`. */
typedef struct {
    uint32_t state, alike, slept, slept_count, first, last, waits, copied, next;
    uint64_t asleep;
    size_t sets, live, set_words, live_words;
} state_record;

/* A place on the way through what is known: steps that are left, the step that leads there, who sleeps, and
 * whether that step was executed. */
typedef struct {
    uint32_t rest;
    item its;
    uint64_t asleep;
    int executed;
} continuing;

/* States with their records. With observers, `rests` are states without the contents of cells at fixed places,
 * by which records are found. `follows`: the executions that are known to follow the last of the `own` nodes
 * of the search are being put together, on the `way`, where so many steps are `blocked`; `same`: its state is that of the record. */
typedef struct {
    interner states, rests, seen;
    state_record *records;
    known_step *steps;
    waiting_thread *waits;
    uint32_t *slept, *first; /* `first`: the record of a state that was closed first */
    sleeper *sleepers;
    uint64_t *sets;
    word *words;
    continuing *way;
    unsigned char *wanted; /* events whose races are looked at */
    size_t record_count, record_room, step_count, step_room, wait_count, wait_room, slept_count, slept_room;
    size_t state_room, word_room, way_count, way_room, wanted_room, own, blocked;
    size_t sleeper_count, sleeper_room, set_count, set_room;
    int same;
    uint64_t follows, followed, closed, put_together;
} past_states;

/* -- observed.c -- */
void observed_free(struct executions *x);
/* Hands on what reverses the races of the execution, which has ended. */
void reverse_observed(core *c);

/* -- sleepers.c -- */
/* Whether two steps depend on one another although nobody observes their blind writes. */
int are_ordered(const footprints *f, uint32_t a, uint32_t b);
/* Finds the sleepers of the last node, which is a new one. */
void slept_after(core *c);
/* Where those of the last node are, which is none yet where something was done; returns how many. */
size_t slept_now(const core *c, size_t *first);
/* Whether the node has some that were done before; whether one, or a thread that is done there, is a
 * weak initial of v. */
int any_slept(const core *c, size_t k);
int any_sleeper(core *c, size_t k, const item *v, size_t count);
/* As `take_out`. */
int take_out_observed(footprints *f, item *v, size_t *count, int thread, uint32_t access);

/* -- remembered.c -- */
int remembered_new(core *c);
void remembered_free(struct executions *x);
/* The memory of the records. */
size_t remembered_bytes(const struct executions *x);
/* Forgets all. 0: without memory. */
int remembered_again(core *c);
/* That the last node is new, or left; or that the step of its thread violates a property. */
void remembered_enter(core *c);
void remembered_leave(core *c);
void remembered_violation(core *c);
/* That a thread waits after what would reverse a race of the event after the node, or after less. */
void remembered_wait(core *c, size_t k, int thread, uint32_t access);
/* Hands on what reverses the races of some executions that are known to follow the last node, which is
 * met; returns whether there may be more. */
int remembered_follow(core *c);
/* Whether races of the event with later ones are looked at. */
int remembered_wants(const struct executions *x, size_t e);

/* -- alike.c -- */
/* Keeps for a record what sleeps at the last node; and, when that is left, which keys are live. 0: without memory. */
int keep_slept(core *c, state_record *its);
int keep_live(core *c, state_record *its, const struct node *n);
/* Whether all that slept where the record was made sleeps at the last node. */
int slept_fits(const core *c, const state_record *its);
/* Whether its state is that of the machine, with that number, but for cells that nobody reads any more. */
int is_alike(core *c, const state_record *its, uint32_t state);

#endif
