// expect: true args: --property unreach-call --property no-deadlock --property no-misuse
// A thread that is cancelled while it waits takes the mutex again, and ends with it if no handler unlocks it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waits(void *p) {
  if (pthread_mutex_lock(&m) == 0)
    for (;;)
      pthread_cond_wait(&c, &m);
  return 0;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_t thread;
  void *result;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &attr);
  pthread_create(&thread, 0, waits, 0);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  assert(pthread_mutex_lock(&m) == EOWNERDEAD);
  assert(pthread_mutex_consistent(&m) == 0);
  pthread_mutex_unlock(&m);
  return 0;
}
