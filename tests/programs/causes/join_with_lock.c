// expect: false(no-deadlock) args: --property no-deadlock
// cause: cycle of waits
// A thread is joined with a lock that it needs.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *works(void *arg) {
  pthread_mutex_lock(&m);  // <-
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, works, 0);
  pthread_mutex_lock(&m);  // <-
  pthread_join(a, 0);  // <-
  pthread_mutex_unlock(&m);
  return 0;
}
