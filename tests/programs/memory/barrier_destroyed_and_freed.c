// expect: true args: --property valid-deref
// What has left the barrier uses it no more: destroying waits for that.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
  pthread_barrier_wait(arg);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_barrier_t *b = malloc(sizeof *b);
  pthread_barrier_init(b, 0, 2);
  pthread_create(&t, 0, worker, b);
  pthread_barrier_wait(b);
  pthread_barrier_destroy(b);
  free(b);
  pthread_join(t, 0);
  return 0;
}
