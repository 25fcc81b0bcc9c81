// expect: true args: --property no-deadlock
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
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
  pthread_create(&t, 0, producer, 0);
  pthread_mutex_lock(&mutex);
  while (!full)
    pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  pthread_cond_destroy(&ready);
  return 0;
}
