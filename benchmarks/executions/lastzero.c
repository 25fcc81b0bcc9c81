/* One thread looks for the last zero of an array, while N others write one member each, from the
   member before. After [ODPOR14]. */
#include <pthread.h>
#ifndef N
#define N 8
#endif

int a[N + 1];

void *one(void *p) { int i = N; while (a[i] != 0) i--; return 0; }

void *many(void *p) { int j = (int)(long)p; a[j] = a[j - 1] + 1; return 0; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  for (long i = 1; i <= N; i++) pthread_create(&t, 0, many, (void *)i);
  pthread_exit(0);
}
