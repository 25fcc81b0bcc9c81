// expect: true args: --property unreach-call,no-misuse,no-deadlock
/* Joins that do not wait, or not for ever. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int done;

static void *work(void *unused) {
  done = 1;
  return &done;
}

int main(void) {
  pthread_t id;
  void *result = 0;
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  pthread_create(&id, 0, work, 0);
  int error = pthread_tryjoin_np(id, &result);
  assert(error == 0 || error == EBUSY);
  if (error == EBUSY) {
    error = pthread_timedjoin_np(id, &result, &soon);
    assert(error == 0 || error == ETIMEDOUT);
  }
  if (error != 0)
    pthread_join(id, &result);
  assert(result == &done && done == 1);
  return 0;
}
