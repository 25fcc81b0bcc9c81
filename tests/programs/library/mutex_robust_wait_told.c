// expect: true args: --property unreach-call --property no-deadlock
// A wait, too, takes the mutex of a thread that has ended, and says so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, died;

static void *signals(void *p) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  return 0;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_t thread;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attr);
  pthread_create(&thread, 0, signals, 0);
  if (pthread_mutex_lock(&m) == 0) {
    while (!ready)
      died = pthread_cond_wait(&c, &m) == EOWNERDEAD;
    assert(died);
  }
  return 0;
}
