// expect: false(unreach-call) args: --property unreach-call
// cause: intermediate state
// The flag is set before the data is there.
#include <assert.h>
#include <pthread.h>

static int data;
static int ready;

static void *publishes(void *arg) {
  ready = 1;  // <-
  data = 42;  // <-
  return arg;
}

static void *takes(void *arg) {
  if (ready) {  // <-
    assert(data == 42);  // <-
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, publishes, 0);
  pthread_create(&b, 0, takes, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);

  return 0;
}
