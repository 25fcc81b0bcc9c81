// expect: true args: --property no-deadlock --engine abpress
// Two locks in an order that an input decides, but for all threads alike, for ever.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int order;
static unsigned count;

static void *worker(void *arg) {
  for (;;) {
    pthread_mutex_t *first = order > 7 ? &a : &b, *second = order > 7 ? &b : &a;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    count++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  order = __VERIFIER_nondet_int();
  pthread_create(&t, 0, worker, 0);
  worker(0);
  return 0;
}
