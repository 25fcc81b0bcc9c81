/* N threads around a table eat once, each with the fork on either side, and take the one with the
   lesser number first. */
#include <pthread.h>
#ifndef N
#define N 4
#endif

pthread_mutex_t fork_lock[N];

void *thread(void *p) {
  int here = (int)(long)p, next = (here + 1) % N;
  pthread_mutex_t *first = &fork_lock[here < next ? here : next];
  pthread_mutex_t *second = &fork_lock[here < next ? next : here];
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return 0;
}

int main(void) {
  pthread_t t;
  for (long i = 0; i < N; i++) pthread_create(&t, 0, thread, (void *)i);
  pthread_exit(0);
}
