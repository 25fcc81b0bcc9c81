/* What the steps of threads are made of. */
#ifndef ABPRESS_MACHINE_H
#define ABPRESS_MACHINE_H

#include "memory.h"

/* -- machine.c -- */
/* One of so many alternatives; -1 if it is refused. */
int machine_choose(core *c, size_t width);
/* Tells, once, that the reference has to look at this step of the thread. */
void machine_tell(core *c, int event, int thread, word at, word what);
/* The id of the n-th thread that a thread creates; 0 if it is refused. */
int machine_child(core *c, int creator, word n);
/* The same if it has been met, else 0. */
int machine_child_met(const core *c, int creator, word n);
/* Puts the thread where it begins; of its registers only its argument has a value. */
void machine_begin(core *c, int thread, word pc, word argument);
/* The program ends. */
void machine_end(core *c, word status);
/* How many threads there are, with those that have ended and may be joined. */
int machine_present(const core *c);

/* -- steps.c -- */
/* Takes the step of a thread whose registers are in place; the code begins there. */
enum outcome machine_run(core *c, int t, word at);

/* -- numbers.c -- */
/* An exact result in its type. 0: it does not fit and ends the execution; -1: it is refused. */
int number_fits(core *c, wide v, word type, word *result);
/* As that; -2: undefined behaviour. */
int number_binary(core *c, int op, word x, word y, word type, word *result);
int number_less(word x, word y, word type);

/* -- losses.c -- */
/* Whether memory is lost here, which is then what is violated; `is_over`: the thread has ended. */
int find_lost(core *c, int thread, word at, int is_over);

#endif
