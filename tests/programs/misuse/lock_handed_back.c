// expect: true args: --property no-misuse --engine abpress
// Each thread unlocks what it has locked, for ever; an input says how often in between.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *worker(void *arg) {
  for (;;) {
    int n = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    while (n-- > 0)
      shared ^= 1;
    pthread_mutex_unlock(&m);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  return 0;
}
