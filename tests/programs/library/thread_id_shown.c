// expect: true
// Who shows the number of a thread, or compares it with others, does not look at it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static unsigned long owner(void) {
  const unsigned long me = (unsigned long)pthread_self();
  printf("%lu\n", me);
  return 0;
}

static void *run(void *first) {
  size_t me = pthread_self();
  long again = (long)me;
  printf("%zu, %#lx, %lu\n", me, again, (unsigned long)pthread_self());
  assert(me == (size_t)pthread_self() && me != *(pthread_t *)first);
  return 0;
}

int main(void) {
  pthread_t self = pthread_self(), other;
  assert(pthread_create(&other, 0, run, &self) == 0);
  assert(pthread_join(other, 0) == 0);
  return (int)owner();
}
