// expect: unknown "address of an object that has ended compared"
// NOTE(reuse): the second block can get the address of the first one, if that is freed in between.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *worker(void *unused) {
  free(shared);
  return 0;
}

int main(void) {
  pthread_t t;
  int *first = malloc(sizeof *first);
  int *second;
  shared = first;
  pthread_create(&t, 0, worker, 0);
  second = malloc(sizeof *second);
  assert(first != second);
  pthread_join(t, 0);
  return 0;
}
