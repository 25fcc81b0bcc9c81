// expect: true
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready;
int full, inside;

void *consumer(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!full)
    assert(pthread_cond_wait(&ready, &mutex) == 0);
  assert(!inside);
  inside = 1;
  full = 0;
  inside = 0;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t a, b;
  assert(pthread_cond_init(&ready, 0) == 0);
  pthread_create(&a, 0, consumer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_mutex_lock(&mutex);
  assert(!inside);
  full = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_broadcast(&ready);
  return 0;
}
