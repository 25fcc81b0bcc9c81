// expect: true
// NOTE(exits-are-steps): where a thread calls exit, no other goes on: nobody gets behind the join.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *leaves(void *argument) { exit(0); }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, leaves, 0);
  pthread_join(thread, 0);
  assert(0);
}
