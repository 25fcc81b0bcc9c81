// expect: false(unreach-call)
// DESIGN 4.8: returning from main ends the other threads, so it does not happen all at once.
#include <assert.h>
#include <pthread.h>

void *fails(void *argument) { assert(0); }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, fails, 0);
  return 0;
}
