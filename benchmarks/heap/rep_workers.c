/* Replicated Workers: N workers take work from a pool, and put new work into it, until there is none
   and nobody is busy. A piece of work is a number; from k > 1 comes one piece k - 1.
   Bug: a worker counts itself as busy only after it has left the pool's monitor. */
#include "monitor.h"

#ifndef N
#define N 2
#endif
#ifndef WORK
#define WORK 2
#endif

struct work {
  int size;
  struct work *next;
};

struct pool {
  struct monitor monitor;
  struct work *first;
  int busy, done, finished;
};

static struct work *make(int size, struct work *next) {
  struct work *work = calloc(1, sizeof *work);
  work->size = size;
  work->next = next;
  return work;
}

static struct work *take(struct pool *pool) {
  enter(&pool->monitor);
  while (!pool->first && pool->busy > 0)
    await_change(&pool->monitor);
  struct work *work = pool->first;
  if (work) {
    assert(!pool->finished);
    pool->first = work->next;
#ifndef BUG
    pool->busy++;
#endif
  } else
    pool->finished = 1;
  leave(&pool->monitor);
#ifdef BUG
  if (work) {
    enter(&pool->monitor);
    pool->busy++;
    leave(&pool->monitor);
  }
#endif
  return work;
}

static void *work(void *argument) {
  struct pool *pool = argument;
  struct work *mine;
  while ((mine = take(pool))) {
    struct work *more = mine->size > 1 ? make(mine->size - 1, 0) : 0;
    enter(&pool->monitor);
    if (more) {
      more->next = pool->first;
      pool->first = more;
    }
    pool->busy--;
    pool->done++;
    notify_all(&pool->monitor);
    leave(&pool->monitor);
  }
  return 0;
}

int main(void) {
  struct pool *pool = calloc(1, sizeof *pool);
  pthread_t threads[N];
  init(&pool->monitor);
  pool->first = make(WORK, 0);
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, work, pool);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  assert(pool->done == WORK);
  return 0;
}
