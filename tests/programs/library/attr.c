// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *worker(void *unused) { return 0; }

int main(void) {
  pthread_attr_t attr;
  pthread_t t;
  int state;
  size_t size;
  struct sched_param param;
  assert(pthread_attr_init(&attr) == 0);
  assert(pthread_attr_getdetachstate(&attr, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
  assert(pthread_attr_setdetachstate(&attr, 5) == EINVAL);
  assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_getdetachstate(&attr, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
  assert(pthread_attr_setstacksize(&attr, 1) == EINVAL);
  assert(pthread_attr_setstacksize(&attr, 65536) == 0);
  assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 65536);
  assert(pthread_attr_setscope(&attr, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
  param.sched_priority = sched_get_priority_max(SCHED_RR);
  assert(pthread_attr_setschedpolicy(&attr, SCHED_RR) == 0);
  assert(pthread_attr_setschedparam(&attr, &param) == 0);
  param.sched_priority = 0;
  assert(pthread_attr_getschedparam(&attr, &param) == 0 && param.sched_priority == 99);
  assert(pthread_create(&t, &attr, worker, 0) == 0);
  assert(pthread_attr_destroy(&attr) == 0);
  return 0;
}
