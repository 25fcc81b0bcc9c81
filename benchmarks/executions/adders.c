/* Two threads add two numbers to one another, N times each. */
#include <pthread.h>
#ifndef N
#define N 3
#endif

int a = 1, b = 1;

void *first(void *p) { for (int k = 0; k < N; k++) a = a + b; return 0; }

void *second(void *p) { for (int k = 0; k < N; k++) b = b + a; return 0; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_exit(0);
}
