// expect: true
// Both blocks are there as long as their addresses are compared; static objects always are.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int fixed;
int *shared;

void *worker(void *argument) {
  assert(shared != argument);
  assert(shared != &fixed);
  free(shared);
  return 0;
}

int main(void) {
  pthread_t t;
  int *first = malloc(sizeof *first);
  int *second = malloc(sizeof *second);
  shared = first;
  pthread_create(&t, 0, worker, second);
  assert(first != &fixed);
  pthread_join(t, 0);
  assert(first != 0);
  free(second);
  return 0;
}
