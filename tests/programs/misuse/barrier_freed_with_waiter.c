// expect: false(no-misuse) "the lifetime of pthread_barrier_t@17" args: --property no-misuse --engine explicit
// Freed while the other thread waits: it waits from the beginning to the end.
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *waited;
static int begun;

static void *worker(void *arg) {
  begun = 1;
  pthread_barrier_wait(waited);
  return 0;
}

int main(void) {
  pthread_t t;
  waited = malloc(sizeof *waited);
  pthread_barrier_init(waited, 0, 2);
  pthread_create(&t, 0, worker, 0);
  if (begun)
    free(waited);
  return 0;
}
