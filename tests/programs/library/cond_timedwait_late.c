// expect: false(unreach-call) args: --spurious-wakeups off
// The deadline may pass although the signal comes.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex;
pthread_cond_t ready;
int full;

void *producer(void *unused) {
  pthread_mutex_lock(&mutex);
  full = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  struct timespec deadline = {1, 0};
  pthread_mutex_lock(&mutex);
  pthread_create(&t, 0, producer, 0);
  int result = pthread_cond_timedwait(&ready, &mutex, &deadline);
  assert(!full || result == 0);
  return 0;
}
