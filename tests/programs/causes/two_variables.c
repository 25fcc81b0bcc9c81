// expect: false(unreach-call) args: --property unreach-call
// cause: intermediate state
// Two variables that belong together are read while they are changed.
#include <assert.h>
#include <pthread.h>

static int width = 1;
static int height = 1;

static void *resizes(void *arg) {
  width = 2;  // <-
  height = 2;  // <-
  return arg;
}

static void *measures(void *arg) {
  int w = width;  // <-
  int h = height;  // <-
  assert(w == h);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, resizes, 0);
  pthread_create(&b, 0, measures, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);

  return 0;
}
