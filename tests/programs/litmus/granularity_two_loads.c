// expect: false(unreach-call)
// DESIGN 1: two loads in one expression are two actions, in any order with another thread's stores.
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
