// expect: false(unreach-call) args: --spurious-wakeups off
// A signal may wake the thread that waits last.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex;
pthread_cond_t ready;
int waiting, woken;

void *first(void *unused) {
  pthread_mutex_lock(&mutex);
  waiting = 1;
  pthread_cond_wait(&ready, &mutex);
  woken = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

void *second(void *unused) {
  pthread_mutex_lock(&mutex);
  if (waiting == 1) {
    waiting = 2;
    pthread_cond_wait(&ready, &mutex);
    assert(woken);
  }
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_mutex_lock(&mutex);
  if (waiting == 2)
    pthread_cond_signal(&ready);
  pthread_mutex_unlock(&mutex);
  pthread_join(b, 0);
  return 0;
}
