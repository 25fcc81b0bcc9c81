// expect: false(valid-deref) args: --property valid-deref
// Without being destroyed, the barrier is freed while the other thread may still leave it.
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
  free(b);
  pthread_join(t, 0);
  return 0;
}
