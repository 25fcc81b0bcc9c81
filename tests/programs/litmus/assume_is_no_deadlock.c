// expect: true args: --property no-deadlock
// NOTE(assume-blocked): who waits at an assumption is not deadlocked, nor is who waits for it.
#include <pthread.h>

extern void __VERIFIER_assume(int);

int never;

void *stops(void *argument) {
  __VERIFIER_assume(never);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, stops, 0);
  pthread_join(thread, 0);
  return 0;
}
