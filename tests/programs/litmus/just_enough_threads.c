// expect: true args: --max-threads 4
// The bound is the greatest number that is explored.
#include <pthread.h>

void *nothing(void *argument) { return 0; }

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 3; i++)
    pthread_create(&thread, 0, nothing, 0);
  return 0;
}
