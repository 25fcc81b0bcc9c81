// expect: false(unreach-call)
// NOTE(atomic-blocks): on this way through the code there is no block around the two writes.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

static void enter(void *always) {
  if (always)
    __VERIFIER_atomic_begin();
}

void *writes(void *argument) {
  enter(argument);
  __VERIFIER_atomic_begin();
  x = 1;
  __VERIFIER_atomic_end();
  for (int i = 0; i < 2; i++) {
    x = i;
    if (i == 1) {
      x = 0;
      if (argument)
        __VERIFIER_atomic_end();
    }
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writes, 0);
  int seen = x;
  assert(seen == 0);
  return 0;
}
