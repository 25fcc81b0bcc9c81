// expect: true args: --property no-deadlock
// A deadlock is one of all unfinished threads: here one can always move.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int turn;

void *waits_for_ever(void *argument) {
  pthread_mutex_lock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, waits_for_ever, 0);
  while (1)
    turn = !turn;
}
