// expect: true
// Jumps between a push and its pop.
#include <assert.h>
#include <pthread.h>

int x;

void handler(void *argument) { x++; }

int main(void) {
  pthread_cleanup_push(handler, 0);
  for (;;)
    break;
  goto inside;
inside:
  x = 0;
  pthread_cleanup_pop(1);
  assert(x == 1);
  return 0;
}
