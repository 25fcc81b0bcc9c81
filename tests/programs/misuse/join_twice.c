// expect: false(no-misuse) args: --property no-misuse
#include <pthread.h>

static pthread_t t;

static void *worker(void *arg) { return arg; }

static void *joiner(void *arg) {
  pthread_join(t, 0);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&t, 0, worker, 0);
  pthread_create(&a, 0, joiner, 0);
  pthread_join(t, 0);
  pthread_join(a, 0);
  return 0;
}
