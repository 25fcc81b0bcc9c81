// expect: false(unreach-call)
// NOTE(lost-write): undefined behaviour ends the execution, after the write.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int x;

void *writes(void *argument) {
  x = 1;
  __VERIFIER_assume(*(int *)argument);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writes, 0);
  int seen = x;
  assert(seen == 0);
  return 0;
}
