/* The range begins with two elements, which may be in the wrong order. */
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

int *a;
int n;
_Atomic int low, high;
int empty;

void *lower(void *unused) {
  for (int i = 0; i < n; i++)
    if (a[i] < low)
      low = a[i];
  return 0;
}

void *raise_it(void *unused) {
  for (int i = 0; i < n; i++)
    if (a[i] > high)
      high = a[i];
  return 0;
}

void *look(void *unused) {
  int least = low;
  empty = high < least;
  return 0;
}

int main(void) {
  pthread_t t1, t2, t3;
  n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000)
    abort();
  a = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  low = a[0];
  high = a[n - 1];
  pthread_create(&t1, 0, lower, 0);
  pthread_create(&t2, 0, raise_it, 0);
  pthread_create(&t3, 0, look, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  __VERIFIER_assert(!empty);
  return 0;
}
