// expect: false(no-deadlock) args: --property no-deadlock
// A wait releases a recursive mutex once only.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_cond_t ready;

void *producer(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_create(&t, 0, producer, 0);
  pthread_cond_wait(&ready, &mutex);
  return 0;
}
