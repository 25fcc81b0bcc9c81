// expect: false(no-deadlock) args: --property no-deadlock
// cause: lock not released
// An early return forgets the lock.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *counts(void *arg) {
  pthread_mutex_lock(&m);  // <-
  if (x > 0) {
    return arg;
  }
  x++;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) {
    pthread_create(&t[i], 0, counts, 0);
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(t[i], 0);
  }
  return 0;
}
