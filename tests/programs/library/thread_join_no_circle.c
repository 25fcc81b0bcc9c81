// expect: true
// A thread that joins another one closes no circle.
#include <assert.h>
#include <pthread.h>

pthread_t first, second;
int done;

void *work(void *arg) {
  done = 1;
  return 0;
}

void *wait_for_first(void *arg) {
  assert(pthread_join(first, 0) == 0);
  assert(done);
  return 0;
}

int main(void) {
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, wait_for_first, 0);
  assert(pthread_join(second, 0) == 0);
  return 0;
}
