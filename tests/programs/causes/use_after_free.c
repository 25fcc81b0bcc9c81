// expect: false(valid-deref) args: --property valid-deref
// cause: use after free
// A thread frees what another one still uses.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *one(void *arg) {
  *shared = 1;  // <-
  return arg;
}

static void *other(void *arg) {
  free(shared);  // <-
  return arg;
}

int main(void) {
  pthread_t a, b;
  shared = malloc(sizeof *shared);
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);

  return 0;
}
