// expect: false(unreach-call)
// NOTE(failed-accesses): freed before it is read, the object ends the execution; read before, it errs.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *worker(void *unused) {
  assert(*shared != 1);
  return 0;
}

int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  *shared = 1;
  pthread_create(&t, 0, worker, 0);
  free(shared);
  return 0;
}
