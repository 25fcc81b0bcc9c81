// expect: true
// NOTE(atomic-blocks): a block with a false assumption in it is not begun: nobody sees its write.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

int x, never;

void *writes(void *argument) {
  __VERIFIER_atomic_begin();
  x = 1;
  __VERIFIER_assume(never);
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
