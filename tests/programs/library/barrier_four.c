// expect: true args: --property no-deadlock
// Four threads at a barrier for two: a slow one is not caught in the second round.
#include <pthread.h>

pthread_barrier_t barrier;

void *worker(void *unused) {
  pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_barrier_init(&barrier, 0, 2);
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, worker, 0);
  worker(0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  return 0;
}
