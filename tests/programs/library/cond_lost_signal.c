// expect: false(no-deadlock) args: --property no-deadlock
// A signal before the wait is lost.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

void *producer(void *unused) {
  pthread_cond_signal(&ready);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producer, 0);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  return 0;
}
