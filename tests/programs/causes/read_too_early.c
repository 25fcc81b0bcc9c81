// expect: false(unreach-call) args: --property unreach-call
// cause: read too early
// A thread starts before what it needs is there.
#include <assert.h>
#include <pthread.h>

static int limit;
static int got;

static void *reads(void *arg) {
  got = limit;  // <-
  assert(got == 7);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, reads, 0);
  limit = 7;  // <-
  pthread_join(a, 0);
  return 0;
}
