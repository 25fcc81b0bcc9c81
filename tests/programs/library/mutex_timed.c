// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex;
int inside;

void *worker(void *unused) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  int result = pthread_mutex_timedlock(&mutex, &deadline);
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    assert(!inside);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  struct timespec deadline = {0, 0};
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&mutex);
  inside = 1;
  inside = 0;
  assert(pthread_mutex_timedlock(&mutex, &deadline) == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  assert(pthread_mutex_timedlock(&mutex, &deadline) == 0);
  return 0;
}
