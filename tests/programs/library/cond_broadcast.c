// expect: true args: --property no-deadlock
// A broadcast wakes both waiters.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int go;

void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!go)
    pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waiter, 0);
  pthread_create(&b, 0, waiter, 0);
  pthread_mutex_lock(&mutex);
  go = 1;
  pthread_cond_broadcast(&ready);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
