// expect: false(unreach-call)
// A static local object is one for all calls, also for recursive ones and those of other threads.
#include <assert.h>
#include <pthread.h>

static int count(int depth) {
  static int calls;
  if (depth)
    count(depth - 1);
  return ++calls;
}

static void *thread(void *p) {
  count(0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  assert(count(1) == 2);
  return 0;
}
