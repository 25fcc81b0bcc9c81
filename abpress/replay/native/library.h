/* What the functions of the thread library here (accesses.c, threads.c, locks.c, c11.c) need of a
   scheduler, which defines THREADS, KEYS and THREAD_FIELDS, includes this file, then those, and
   defines the functions below. All is one translation unit: what the parts share is static, so that
   no name of theirs is one of the program's. */
#ifndef LIBRARY_H
#define LIBRARY_H
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <threads.h>

typedef bool condition(const void *object, int thread);

struct thread {
  enum { ABSENT, NEW, STARTED, FINISHED } life;
  bool joinable;
  void *(*start)(void *);
  void *argument, *result;
  condition *ready; /* what it waits for; NULL: nothing */
  const void *object;
  __pthread_unwind_buf_t *cleanup; /* the innermost handler */
  void *specific[KEYS];
  THREAD_FIELDS
};

static struct thread threads[THREADS];
static int self; /* who runs; below 0: none of them */

/* What the scheduler may choose: whether a wait ends without a signal, whether what may fail for no
   reason does. */
static int wakeups(void);
static int failures(void);

/* Stops before a step that other threads can see; then the scheduler chooses who goes on. */
static void step(void);

/* The same, before an access. */
enum access { READ, WRITE, UPDATE, ATOMIC_READ, ATOMIC_WRITE };
static void touch(enum access how, const void *object, size_t size);

/* Stops until the condition holds and the scheduler chooses this thread. */
static void wait_until(condition *ready, const void *object);

/* Any number below `answers`, chosen here and now. */
static int choose(int answers);

/* Any one of a set that is not empty, as a bit. */
static unsigned choose_of(unsigned set);

/* A new thread; returns its number. */
static int create(void *(*start)(void *), void *argument, bool joinable);

/* The running thread has finished. */
static _Noreturn void finish(void *result);

/* Ends the execution. */
static _Noreturn void end(const char *how);

/* Ends the program: a bound of the scheduler is reached. */
static _Noreturn void give_up(const char *why);

/* That a signal has come. */
static condition woken;

#endif
