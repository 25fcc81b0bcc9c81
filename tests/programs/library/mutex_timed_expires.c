// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex;

void *worker(void *unused) {
  struct timespec deadline = {1, 0};
  assert(pthread_mutex_timedlock(&mutex, &deadline) == 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  return 0;
}
