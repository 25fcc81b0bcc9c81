// expect: false(no-misuse) args: --property no-misuse
#include <pthread.h>

static pthread_barrier_t b;

static void *worker(void *arg) {
  pthread_barrier_wait(&b);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, worker, 0);
  pthread_barrier_destroy(&b);
  return 0;
}
