// expect: true
// In each round one of the threads is told so.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int theirs[2];

void *run(void *arg) {
  for (int i = 0; i < 2; i++)
    theirs[i] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  return 0;
}

int main(void) {
  pthread_t thread;
  int ours[2];
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, run, 0);
  for (int i = 0; i < 2; i++)
    ours[i] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  pthread_join(thread, 0);
  for (int i = 0; i < 2; i++)
    assert(ours[i] + theirs[i] == 1);
  return 0;
}
