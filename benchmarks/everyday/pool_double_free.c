/* A job is freed twice: a pool of two workers that take jobs from a list until it is closed. */
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct job { void (*run)(void *); void *argument; struct job *next; };
struct pool {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  struct job *first;
  int closed;
};

static struct pool pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

static void submit(void (*run)(void *), void *argument) {
  struct job *job = malloc(sizeof *job);
  if (job == NULL) exit(EXIT_FAILURE);
  job->run = run;
  job->argument = argument;
  pthread_mutex_lock(&pool.lock);
  job->next = pool.first;
  pool.first = job;
  pthread_cond_signal(&pool.filled);
  pthread_mutex_unlock(&pool.lock);
}

static void *worker(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&pool.lock);
    while (pool.first == NULL && !pool.closed) pthread_cond_wait(&pool.filled, &pool.lock);
    struct job *job = pool.first;
    if (job == NULL) {
      pthread_mutex_unlock(&pool.lock);
      return NULL;
    }
    pool.first = job->next;
    pthread_mutex_unlock(&pool.lock);
    job->run(job->argument);
    free(job);
    if (job == pool.first) pool.first = NULL;
    free(job);
  }
}

static int results[2];

static void square(void *argument) {
  int *place = argument;
  *place = *place * *place;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&threads[i], NULL, worker, NULL) != 0) return EXIT_FAILURE;
  }
  for (int i = 0; i < 2; i++) {
    results[i] = i + 2;
    submit(square, &results[i]);
  }
  pthread_mutex_lock(&pool.lock);
  pool.closed = 1;
  pthread_cond_broadcast(&pool.filled);
  pthread_mutex_unlock(&pool.lock);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%d %d\n", results[0], results[1]);
  assert(results[0] == 4 && results[1] == 9);
  return 0;
}
