// expect: true
// NOTE(atomic-blocks): so does a thread whose whole code is a block.
#include <assert.h>
#include <pthread.h>

int x, y;

void *__VERIFIER_atomic_writes(void *argument) {
  int one = 1;
  x = one;
  y = x;
  x = 0;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, __VERIFIER_atomic_writes, 0);
  assert(y < 2);
  assert(x == 0);
  return 0;
}
