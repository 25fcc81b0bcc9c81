// expect: false(valid-deref) args: --property valid-deref
// cause: read too early
// A pointer is used before it is set.
#include <assert.h>
#include <pthread.h>

static int value;
static int *config;

static void *uses(void *arg) {
  *config = 1;  // <-
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, uses, 0);
  config = &value;  // <-
  pthread_join(a, 0);
  return 0;
}
