// expect: false(unreach-call)
// NOTE(lost-write): both statements of the macro have one position; the overflow of the second ends
// the execution, but not before the other thread can see the first.
#include <assert.h>
#include <pthread.h>

int shared, other;

#define BOTH   \
  shared = big; \
  sum = big + 1;

void *reader(void *argument) {
  int seen = shared;
  assert(seen == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  int big = other ? 1 : 2147483647, sum;
  BOTH
  other = sum;
  pthread_join(thread, 0);
  return 0;
}
