// expect: false(unreach-call)
// NOTE(blocked-threads): a thread that cannot move is no reason not to look at the others.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

void *stops(void *argument) {
  __VERIFIER_assume(argument != 0);
  return 0;
}

void *fails(void *argument) { assert(0); }

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, stops, 0);
  pthread_create(&second, 0, fails, 0);
  pthread_join(second, 0);
  return 0;
}
