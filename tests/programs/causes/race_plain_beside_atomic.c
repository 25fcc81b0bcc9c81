// expect: false(no-data-race) args: --property no-data-race
// cause: plain access beside atomic ones
// A flag is set atomically and initialised again like any variable.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *one(void *arg) {
  atomic_store(&flag, 1);

  return arg;
}

static void *other(void *arg) {
  *(int *)&flag = 0;  // <-
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);

  return 0;
}
