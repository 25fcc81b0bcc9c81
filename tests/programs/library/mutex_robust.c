// expect: true args: --property unreach-call --property no-data-race --property no-deadlock --property no-misuse
// The end of the owner is told to whom locks next; what he leaves is made consistent, or never used again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int begun;

static void *dies(void *p) {
  int error = pthread_mutex_lock(&m);
  assert(error == 0);
  begun = 1;
  return 0;
}

static void repair(int kind) {
  pthread_mutexattr_t attr;
  pthread_t thread;
  int robust, error;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, kind);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_getrobust(&attr, &robust);
  assert(robust == PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_gettype(&attr, &robust);
  assert(robust == kind);
  pthread_mutex_init(&m, &attr);
  assert(pthread_mutex_unlock(&m) == EPERM);
  assert(pthread_mutex_consistent(&m) == EINVAL);
  pthread_create(&thread, 0, dies, 0);
  error = pthread_mutex_lock(&m);
  if (error == 0)
    assert(begun == 0);
  else
    assert(error == EOWNERDEAD && begun == 1 && pthread_mutex_consistent(&m) == 0);
  pthread_mutex_unlock(&m);
  pthread_join(thread, 0);
  if (error == 0)
    assert(pthread_mutex_trylock(&m) == EOWNERDEAD);
  else
    assert(pthread_mutex_lock(&m) == 0);
  pthread_mutex_unlock(&m);
  if (error == 0) {
    assert(pthread_mutex_lock(&m) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&m) == ENOTRECOVERABLE);
    assert(pthread_mutex_consistent(&m) == EINVAL);
  }
  assert(pthread_mutex_destroy(&m) == 0);
  begun = 0;
}

int main(void) {
  repair(PTHREAD_MUTEX_ERRORCHECK);
  repair(PTHREAD_MUTEX_RECURSIVE);
  return 0;
}
