// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_barrier_t barrier;
int arrived[2], serial;
pthread_mutex_t mutex;

void *worker(void *argument) {
  long me = (long)argument;
  for (int round = 1; round <= 2; round++) {
    arrived[me] = round;
    int result = pthread_barrier_wait(&barrier);
    assert(arrived[1 - me] >= round);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) {
      pthread_mutex_lock(&mutex);
      serial++;
      pthread_mutex_unlock(&mutex);
    } else {
      assert(result == 0);
    }
  }
  return 0;
}

int main(void) {
  pthread_t t;
  assert(pthread_barrier_init(&barrier, 0, 0) == EINVAL);
  assert(pthread_barrier_init(&barrier, 0, 2) == 0);
  pthread_create(&t, 0, worker, (void *)1);
  worker(0);
  pthread_join(t, 0);
  assert(serial == 2);
  assert(pthread_barrier_destroy(&barrier) == 0);
  return 0;
}
