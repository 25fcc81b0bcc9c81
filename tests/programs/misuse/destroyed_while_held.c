// expect: false(no-misuse) "destroyed while" args: --property no-misuse --engine stateless
// NOTE(failed-accesses): destroying the mutex fails only where another order of a race is looked at.
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int done;
static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int d;
  __VERIFIER_atomic_begin();
  d = done;
  __VERIFIER_atomic_end();
  if (d) pthread_mutex_destroy(&lock);
  pthread_join(t, 0);
  return 0;
}
