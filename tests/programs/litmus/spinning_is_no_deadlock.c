// expect: true args: --property no-deadlock
// NOTE(assume-blocked): a thread that spins can move.
#include <pthread.h>

int never;

void *spins(void *argument) {
  while (!never)
    ;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, spins, 0);
  pthread_join(thread, 0);
  return 0;
}
