/* What the functions of the thread library here (accesses.c, threads.c, locks.c, c11.c) need of a
   scheduler, which defines THREADS, KEYS, READS and THREAD_FIELDS, includes this file, then those,
   and defines the functions below. All is one translation unit: what the parts share is static, so that
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

enum { ROBUST = 8 };

struct thread {
  enum { ABSENT, NEW, STARTED, FINISHED } life;
  bool joinable;
  void *(*start)(void *);
  void *argument, *result;
  condition *ready; /* what it waits for; NULL: nothing */
  const void *object;
  __pthread_unwind_buf_t *cleanup; /* the innermost handler */
  const void *signal; /* the condition variable or barrier that has not let it go yet */
  const void *runs;   /* the control of pthread_once whose routine it is in */
  bool serial;        /* a barrier has chosen it to be told so */
  bool cancelled, deaf, at_point; /* to be cancelled; not now; it waits where it may be */
  struct {
    const void *lock;
    int times;
  } reads[READS]; /* the reader-writer locks that it holds for reading */
  pthread_mutex_t *robust[ROBUST]; /* the robust mutexes that it holds */
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

/* Whether what may wait for ever or be undefined is undefined. */
static bool is_undefined(void);

/* Whether a thread that waits for itself is told so; else it waits for ever. */
static bool is_told(void);

/* Any number below `answers`, chosen here and now. */
static int choose(int answers);

/* Any one of the threads that a condition variable or barrier has not let go; -1 if there is none. */
static int choose_of(const void *object);

/* A new thread; returns its number. */
static int create(void *(*start)(void *), void *argument, bool joinable);

/* The running thread has finished. */
static _Noreturn void finish(void *result);

/* Ends the execution. */
static _Noreturn void end(const char *how);

/* Ends the program: a bound of the scheduler is reached. */
static _Noreturn void give_up(const char *why);

/* That the condition variable or barrier has let the thread go. */
static condition woken;

/* Whether a thread is to be cancelled, where it may be. */
static bool is_cancelled(int thread) { return threads[thread].cancelled && !threads[thread].deaf; }

/* Whether a thread that has not finished could go on. */
static bool may_go_on(int thread) {
  const struct thread *t = &threads[thread];
  return t->ready == 0 || t->ready(t->object, thread) || (t->at_point && is_cancelled(thread));
}

/* Whether it waits for a condition variable or barrier that has not let it go. */
static bool waits_at(const void *object, int thread) { return threads[thread].signal == object; }

#endif
