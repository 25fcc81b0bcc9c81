// expect: false(no-data-race) args: --property no-data-race
// cause: missing lock
// One of two accesses is made without the lock.
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *locks(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;  // <-
  pthread_mutex_unlock(&m);
  return arg;
}

static void *forgets(void *arg) {
  x = 2;  // <-
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, locks, 0);
  pthread_create(&b, 0, forgets, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);

  return 0;
}
