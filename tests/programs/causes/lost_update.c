// expect: false(unreach-call) args: --property unreach-call
// cause: lost update
// Two increments that are no atomic ones.
#include <assert.h>
#include <pthread.h>

static int x;

static void *count(void *arg) {
  x++;  // <-
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
