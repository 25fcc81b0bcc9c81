/* Five philosophers at a round table eat N times each, with the fork of the lower number first. */
#include <pthread.h>
#ifndef N
#define N 2
#endif

pthread_mutex_t fork[5];

void *thread(void *p) {
  int i = (int)(long)p, low = i < 4 ? i : 0, high = i < 4 ? i + 1 : 4;
  for (int k = 0; k < N; k++) {
    pthread_mutex_lock(&fork[low]);
    pthread_mutex_lock(&fork[high]);
    pthread_mutex_unlock(&fork[high]);
    pthread_mutex_unlock(&fork[low]);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  for (long i = 0; i < 5; i++) pthread_create(&t, 0, thread, (void *)i);
  pthread_exit(0);
}
