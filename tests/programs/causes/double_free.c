// expect: false(valid-free) args: --property valid-free
// cause: double free
// Both threads free what the one that sees it last should free.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *shared;
static int users = 2;

static void *one(void *arg) {
  users--;
  if (users == 0) {
    free(shared);  // <-
  }
  return arg;
}

static void *other(void *arg) {
  users--;
  if (users == 0) {
    free(shared);  // <-
  }
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
