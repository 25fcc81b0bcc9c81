// expect: false(unreach-call)
// NOTE(atomic-blocks): between two adjacent blocks the other threads can move.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;

void *writes(void *argument) {
  __VERIFIER_atomic_begin();
  x = 1;
  y = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  x = 0;
  y = 0;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writes, 0);
  assert(y < 2);
  assert(x == 0);
  return 0;
}
