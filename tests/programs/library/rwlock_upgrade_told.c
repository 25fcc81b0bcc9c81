// expect: false(unreach-call)
// A reader that asks to write may be told that it must not.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_rdlock(&lock);
  assert(pthread_rwlock_wrlock(&lock) != EDEADLK);
  return 0;
}
