// expect: false(no-misuse) "pool@23.lock" args: --property no-misuse
// Freed through a pointer to void, while the other thread may hold a lock in it.
#include <pthread.h>
#include <stdlib.h>

struct pool {
  int n;
  pthread_mutex_t lock;
};

static void *worker(void *arg) {
  struct pool *pool = arg;
  pthread_mutex_lock(&pool->lock);
  pool->n++;
  pthread_mutex_unlock(&pool->lock);
  return 0;
}

static void drop(void *memory) { free(memory); }

int main(void) {
  pthread_t t;
  struct pool *pool = malloc(sizeof *pool);
  pool->n = 0;
  pthread_mutex_init(&pool->lock, 0);
  pthread_create(&t, 0, worker, pool);
  drop(pool);
  return 0;
}
