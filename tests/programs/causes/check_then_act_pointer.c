// expect: false(valid-deref) args: --property valid-deref
// cause: check then act
// A pointer is looked at, and taken away before it is used.
#include <assert.h>
#include <pthread.h>

static int value = 3;
static int *current = &value;
static int got;

static void *uses(void *arg) {
  if (current) {  // <-
    got = *current;  // <-
  }
  return arg;
}

static void *takes(void *arg) {
  current = 0;  // <-
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, uses, 0);
  pthread_create(&b, 0, takes, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);

  return 0;
}
