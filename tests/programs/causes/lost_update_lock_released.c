// expect: false(unreach-call) args: --property unreach-call
// cause: lost update
// The lock is released between reading and writing.
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *splits(void *arg) {
  pthread_mutex_lock(&m);
  int seen = x;  // <-
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  x = seen + 1;  // <-
  pthread_mutex_unlock(&m);
  return arg;
}

static void *adds(void *arg) {
  pthread_mutex_lock(&m);
  x = x + 1;  // <-
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, splits, 0);
  pthread_create(&b, 0, adds, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
