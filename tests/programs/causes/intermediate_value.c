// expect: false(unreach-call) args: --property unreach-call
// cause: intermediate value
// A state that is there for a moment only is seen.
#include <assert.h>
#include <pthread.h>

static int valid = 1;
static int seen = 1;

static void *changes(void *arg) {
  valid = 0;  // <-
  valid = 1;  // <-
  return arg;
}

static void *looks(void *arg) {
  seen = valid;  // <-
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, changes, 0);
  pthread_create(&b, 0, looks, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(seen == 1);
  return 0;
}
