// expect: false(unreach-call)
// NOTE(exits-are-steps): exit and abort are steps like others; before them everything is possible.
// NOTE(exits-as-assumptions): who stops for good after a write has written.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int shared;

void *leaves(void *argument) {
  shared = 1;
  abort();
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, leaves, 0);
  int seen = shared;
  assert(seen == 0);
  return 0;
}
