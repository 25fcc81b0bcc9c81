// expect: false(unreach-call) args: --property unreach-call
// cause: lost update
// Of two variables that are changed without a lock the one is meant that the assertion looks at.
#include <assert.h>
#include <pthread.h>

static int last, lines;

static void *logs(void *arg) {
  last = *(int *)arg;
  lines++;  // <-
  last = last + 1;
  return 0;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, 0, logs, &one);
  pthread_create(&b, 0, logs, &two);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(lines == 2);
  return 0;
}
