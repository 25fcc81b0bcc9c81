// expect: false(unreach-call)
// pthread_exit ends main alone.
#include <assert.h>
#include <pthread.h>

int ended;

void *late(void *argument) {
  int seen = ended;
  assert(seen == 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, late, 0);
  ended = 1;
  pthread_exit(0);
}
