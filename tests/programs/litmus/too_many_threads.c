// expect: unknown "more than 3 threads" args: --engine explicit --max-threads 3
// Reaching a bound withholds "true".
#include <pthread.h>

void *nothing(void *argument) { return 0; }

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 3; i++)
    pthread_create(&thread, 0, nothing, 0);
  return 0;
}
