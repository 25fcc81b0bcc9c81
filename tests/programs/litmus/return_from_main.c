// expect: false(unreach-call)
// NOTE(exits-are-steps): a return from main ends the other threads, so it is a step.
#include <assert.h>
#include <pthread.h>

void *fails(void *argument) { assert(0); }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, fails, 0);
  return 0;
}
