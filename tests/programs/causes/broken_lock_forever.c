// expect: false(unreach-call) args: --property unreach-call
// cause: atomicity violation
// A lock that takes any value for a free one lets both in; its users never end.
#include <assert.h>
#include <pthread.h>

static int locked, inside;

static void *uses(void *arg) {
  for (;;) {
    int seen;
    do
      seen = locked;
    while (!__sync_bool_compare_and_swap(&locked, seen, 1));
    inside++;             // <-
    assert(inside == 1);  // <-
    inside--;
    locked = 0;
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, uses, 0);
  pthread_create(&b, 0, uses, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
