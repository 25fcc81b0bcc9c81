/* One thread writes, N read. After [ODPOR14]: 2^N executions. */
#include <pthread.h>
#ifndef N
#define N 10
#endif

int x;

void *one(void *p) { x = 42; return 0; }

void *many(void *p) { int seen = x; return 0; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  for (long i = 1; i <= N; i++) pthread_create(&t, 0, many, (void *)i);
  pthread_exit(0);
}
