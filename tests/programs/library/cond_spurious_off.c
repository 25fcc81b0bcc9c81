// expect: true args: --spurious-wakeups off
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
  pthread_create(&t, 0, producer, 0);
  pthread_mutex_lock(&mutex);
  if (!full)
    pthread_cond_wait(&ready, &mutex);
  assert(full);
  return 0;
}
