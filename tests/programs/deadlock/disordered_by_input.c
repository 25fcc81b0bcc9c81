// expect: false(no-deadlock) args: --property no-deadlock --engine abpress
// Two locks in an order that an input decides for each thread: one of all inputs makes them differ.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int order;
static unsigned count;

static void *worker(void *arg) {
  int mine = arg == 0 ? 1 : order - 1234567;
  for (;;) {
    pthread_mutex_t *first = mine ? &a : &b, *second = mine ? &b : &a;
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
  pthread_create(&t, 0, worker, &count);
  worker(0);
  return 0;
}
