// expect: unknown "a thread waits at a barrier that is not initialised"
#include <pthread.h>

pthread_barrier_t barrier;

int main(void) {
  pthread_barrier_init(&barrier, 0, 1);
  pthread_barrier_destroy(&barrier);
  pthread_barrier_wait(&barrier);
  return 0;
}
