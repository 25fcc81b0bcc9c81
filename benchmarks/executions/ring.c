/* N threads in a circle: each writes its own cell, and reads its neighbour's. */
#include <pthread.h>
#ifndef N
#define N 8
#endif

int cell[N];

void *thread(void *p) {
  int i = (int)(long)p;
  cell[i] = 1;
  int seen = cell[(i + 1) % N];
  return 0;
}

int main(void) {
  pthread_t t;
  for (long i = 0; i < N; i++) pthread_create(&t, 0, thread, (void *)i);
  pthread_exit(0);
}
