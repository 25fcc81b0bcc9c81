// expect: true
// NOTE(atomic-blocks): a block excludes every other thread, also one that is in no block.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *writes(void *argument) {
  __VERIFIER_atomic_begin();
  x = 1;
  x = 0;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writes, 0);
  int seen = x;
  assert(seen == 0);
  return 0;
}
