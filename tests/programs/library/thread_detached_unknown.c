// expect: unknown "is no thread"
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
  assert(pthread_detach((pthread_t)10) == ESRCH);
  return 0;
}
