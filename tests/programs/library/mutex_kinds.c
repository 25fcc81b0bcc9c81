// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t recursive, checked;
int held;

void *other(void *unused) {
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_mutex_unlock(&checked) == EPERM);
  if (pthread_mutex_trylock(&recursive) == 0) {
    assert(!held);
    pthread_mutex_unlock(&recursive);
  }
  return 0;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_t t;
  int kind;
  assert(pthread_mutexattr_init(&attr) == 0);
  assert(pthread_mutexattr_settype(&attr, 17) == EINVAL);
  assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutex_init(&recursive, &attr) == 0);
  assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK) == 0);
  assert(pthread_mutexattr_gettype(&attr, &kind) == 0 && kind == PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutex_init(&checked, &attr) == 0);
  assert(pthread_mutexattr_destroy(&attr) == 0);
  pthread_create(&t, 0, other, 0);

  assert(pthread_mutex_lock(&checked) == 0);
  assert(pthread_mutex_lock(&checked) == EDEADLK);
  assert(pthread_mutex_trylock(&checked) == EBUSY);
  assert(pthread_mutex_unlock(&checked) == 0);
  assert(pthread_mutex_unlock(&checked) == EPERM);

  assert(pthread_mutex_lock(&recursive) == 0);
  held = 1;
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_trylock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  held = 0;
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  pthread_join(t, 0);
  return 0;
}
