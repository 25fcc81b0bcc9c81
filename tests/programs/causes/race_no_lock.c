// expect: false(no-data-race) args: --property no-data-race
// cause: missing lock
// No lock at all.
#include <assert.h>
#include <pthread.h>

static int x;

static void *one(void *arg) {
  x = 1;  // <-
  return arg;
}

static void *other(void *arg) {
  x = 2;  // <-
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
