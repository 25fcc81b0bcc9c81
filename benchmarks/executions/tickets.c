/* N threads count under one lock: an execution for each order in which they get it. */
#include <pthread.h>
#ifndef N
#define N 5
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int served;

void *thread(void *p) {
  pthread_mutex_lock(&lock);
  served++;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  for (long i = 0; i < N; i++) pthread_create(&t, 0, thread, (void *)i);
  pthread_exit(0);
}
