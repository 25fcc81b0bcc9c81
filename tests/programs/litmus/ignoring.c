// expect: false(unreach-call)
// NOTE(ignoring): nothing that the first thread does is seen by others, and it never ends.
#include <assert.h>
#include <pthread.h>

void *works(void *argument) {
  int i = 0;
  while (1)
    i = !i;
}

void *fails(void *argument) { assert(0); }

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, works, 0);
  pthread_create(&second, 0, fails, 0);
  pthread_join(first, 0);
  return 0;
}
