// expect: false(unreach-call) args: --property unreach-call
// cause: lost update
// One thread locks, the other one does not.
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *locks(void *arg) {
  pthread_mutex_lock(&m);
  x = x + 1;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *forgets(void *arg) {
  x = x + 1;  // <-
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, locks, 0);
  pthread_create(&b, 0, forgets, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
