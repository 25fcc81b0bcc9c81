// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
  pthread_mutexattr_t attr;
  int ceiling, protocol;
  pthread_mutexattr_init(&attr);
  assert(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT) == 0);
  assert(pthread_mutexattr_setprioceiling(&attr, 0) == EINVAL);
  assert(pthread_mutexattr_setprioceiling(&attr, 7) == 0);
  assert(pthread_mutexattr_getprioceiling(&attr, &ceiling) == 0 && ceiling == 7);
  assert(pthread_mutexattr_getprotocol(&attr, &protocol) == 0 && protocol == PTHREAD_PRIO_PROTECT);
  return 0;
}
