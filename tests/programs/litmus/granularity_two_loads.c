// expect: false(unreach-call)
// NOTE(granularity): two loads in an expression are two actions; stores of others come between.
#include <assert.h>
#include <pthread.h>

int x, y;

void *moves(void *argument) {
  x = 1;
  y = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, moves, 0);
  assert(x >= y);
  return 0;
}
