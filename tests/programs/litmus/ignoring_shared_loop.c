// expect: false(unreach-call)
// NOTE(ignoring): two threads turn one another's wheel for ever; the third shares nothing.
#include <assert.h>
#include <pthread.h>

int wheel;

void *turns(void *argument) {
  while (1)
    if (wheel == (argument != 0))
      wheel = argument == 0;
}

void *fails(void *argument) {
  int own = 0;
  for (int i = 0; i < 3; i++)
    own += i;
  assert(own != 3);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, turns, 0);
  pthread_create(&threads[1], 0, turns, &wheel);
  pthread_create(&threads[2], 0, fails, 0);
  pthread_join(threads[0], 0);
  return 0;
}
