// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
  int old;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
  assert(old == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0);
  assert(old == PTHREAD_CANCEL_DISABLE);
  assert(pthread_setcancelstate(9, &old) == EINVAL);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0) == 0);
  pthread_testcancel();
  return 0;
}
