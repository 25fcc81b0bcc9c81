// expect: false(no-deadlock) args: --property no-deadlock
// It needs a wait that ends without a signal: then the thread waits for what nobody posts.
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
sem_t never;
int waits, ready;

void *run(void *arg) {
  int seen;
  pthread_mutex_lock(&mutex);
  waits = 1;
  pthread_cond_wait(&cond, &mutex);
  seen = ready;
  pthread_mutex_unlock(&mutex);
  if (!seen)
    sem_wait(&never);
  return 0;
}

int main(void) {
  pthread_t thread;
  int signalled = 0;
  sem_init(&never, 0, 0);
  pthread_create(&thread, 0, run, 0);
  while (!signalled) {
    pthread_mutex_lock(&mutex);
    if (waits) {
      ready = signalled = 1;
      pthread_cond_signal(&cond);
    }
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, 0);
  return 0;
}
