/* What the parts of the runtime know of one another: see runtime.c. */
#ifndef RUNTIME_H
#define RUNTIME_H
#define _GNU_SOURCE
#include <alloca.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS = 8, STACK = 1 << 15, KEYS = 8, LOCAL = 256, HEAP = 1 << 10 };

typedef bool condition(const void *object, int thread);

struct thread {
  jmp_buf context;
  char *lowest; /* of its stack: what lies below is not in use */
  enum { ABSENT, NEW, STARTED, FINISHED } life;
  bool joinable;
  void *(*start)(void *);
  void *argument, *result;
  condition *ready; /* what it waits for; NULL: nothing */
  const void *object;
  int answers, answer;            /* which of how many: the search chooses */
  __pthread_unwind_buf_t *cleanup; /* the innermost handler */
  void *specific[KEYS];
  int error;
  char local[LOCAL]; /* its _Thread_local variables, while it does not run */
};

static struct thread threads[THREADS];
static int self = -1; /* who runs; -1: the search */

/* What the search may choose: the arguments of the program, see runtime.c. */
static int wakeups(void);
static int failures(void);

/* Stops before a step that other threads can see; then the search chooses who goes on. */
static void step(void);

/* Stops until the condition holds and the search chooses this thread. */
static void wait_until(condition *ready, const void *object);

/* Any number below `answers`, chosen here and now. */
static int choose(int answers);

/* Any one of a set that is not empty, as a bit. */
static unsigned choose_of(unsigned set);

/* Between them a thread runs alone, without a stop. */
static void atomic_begin(void);
static void atomic_end(void);

/* A new thread; returns its number. */
static int create(void *(*start)(void *), void *argument, bool joinable);

/* The running thread has finished. */
static _Noreturn void finish(void *result);

/* Ends the execution. */
static _Noreturn void end(const char *how);

/* Ends the search: a bound of the runtime is reached. */
static _Noreturn void give_up(const char *why);

/* Conditions that the search knows: a wake-up without a signal need not come, and an execution with
   a thread at an assumption that does not hold is not judged. */
static condition woken, never;

#endif
