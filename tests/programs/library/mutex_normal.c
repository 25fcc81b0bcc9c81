// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

void *worker(void *unused) {
  assert(pthread_mutex_lock(&mutex) == 0);
  x = x + 1;
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_destroy(&mutex) == 0);
  assert(pthread_mutex_init(&mutex, 0) == 0);
  assert(pthread_mutex_trylock(&mutex) == 0);
  return 0;
}
