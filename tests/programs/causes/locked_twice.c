// expect: false(no-deadlock) args: --property no-deadlock
// cause: locked twice
// A function that locks is called with the lock held.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void add(int n) {
  pthread_mutex_lock(&m);  // <-
  x += n;
  pthread_mutex_unlock(&m);
}

int main(void) {
  pthread_mutex_lock(&m);  // <-
  add(3);
  pthread_mutex_unlock(&m);
  return 0;
}
