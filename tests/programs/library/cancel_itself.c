// expect: false(unreach-call)
// The request is for another thread.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t requested;

static void *worker(void *unused) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  sem_wait(&requested);
  pthread_testcancel();
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  pthread_testcancel();
  assert(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&requested, 0, 0);
  pthread_create(&thread, 0, worker, 0);
  pthread_cancel(pthread_self());
  sem_post(&requested);
  pthread_join(thread, 0);
  return 0;
}
