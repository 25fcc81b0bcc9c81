/* The first element keeps what it was. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
    abort();
  }
}

extern int __VERIFIER_nondet_int(void);

int *a, *b;
int n, k;

void *numbers(void *unused) {
  for (int i = 0; i < n; i++)
    a[i] = i;
  return 0;
}

void *doubles(void *unused) {
  for (int i = 1; i < n; i++)
    b[i] = 2 * i;
  return 0;
}

int main(void) {
  pthread_t t1, t2;
  n = __VERIFIER_nondet_int();
  k = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000 || k < 0 || k >= n)
    abort();
  a = calloc(n, sizeof(int));
  b = calloc(n, sizeof(int));
  b[0] = 1;
  pthread_create(&t1, 0, numbers, 0);
  pthread_create(&t2, 0, doubles, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  __VERIFIER_assert(b[k] == 2 * a[k]);
  return 0;
}
