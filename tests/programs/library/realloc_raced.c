// expect: false(no-data-race) args: --property no-data-race
// What is moved is read, beside a thread that writes it.
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *writer(void *arg) {
  *shared = 2;
  return arg;
}

int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  int *mine = shared;
  pthread_create(&t, 0, writer, 0);
  mine = realloc(mine, 2 * sizeof *mine);
  return mine == NULL;
}
