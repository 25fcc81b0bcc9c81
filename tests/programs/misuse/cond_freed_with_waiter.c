// expect: false(no-misuse) "the lifetime of pthread_cond_t@20" args: --property no-misuse --engine explicit
// Freed while the other thread waits: it waits from the beginning to the end.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *waited;
static int begun;

static void *worker(void *arg) {
  begun = 1;
  pthread_mutex_lock(&m);
  pthread_cond_wait(waited, &m);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  waited = malloc(sizeof *waited);
  pthread_cond_init(waited, 0);
  pthread_create(&t, 0, worker, 0);
  if (begun)
    free(waited);
  return 0;
}
