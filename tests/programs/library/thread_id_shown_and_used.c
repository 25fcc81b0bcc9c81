// expect: unknown "the number of a thread id may matter"
#include <assert.h>
#include <pthread.h>

static void *run(void *_) {
  unsigned long me = (unsigned long)pthread_self();
  assert(me % 2 == 0);
  return _;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  return 0;
}
