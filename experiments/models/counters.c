/* Three threads count N times each, without a lock. */
#include <pthread.h>
#ifndef N
#define N 4
#endif

int counter;

void *thread(void *p) {
  for (int k = 0; k < N; k++) counter = counter + 1;
  return 0;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, thread, 0);
  pthread_exit(0);
}
