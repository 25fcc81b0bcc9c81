/* An array is sorted if and only if two parts of it are that share an element. */
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
int n, m;
_Bool all = 1, first = 1, second = 1;

static int *numbers(int size) {
  int *its = malloc(size * sizeof(int));
  for (int i = 0; i < size; i++)
    its[i] = __VERIFIER_nondet_int();
  return its;
}

void *look_at_all(void *unused) {
  for (int i = 0; i < n - 1; i++)
    all = all && a[i] <= a[i + 1];
  return 0;
}

void *look_at_first(void *unused) {
  for (int i = 0; i < m; i++)
    first = first && a[i] <= a[i + 1];
  return 0;
}

void *look_at_second(void *unused) {
  for (int i = m; i < n - 1; i++)
    second = second && a[i] <= a[i + 1];
  return 0;
}

int main(void) {
  pthread_t t1, t2, t3;
  n = __VERIFIER_nondet_int();
  m = __VERIFIER_nondet_int();
  if (n < 2 || n > 1000 || m < 0 || m >= n)
    abort();
  a = numbers(n);
  pthread_create(&t1, 0, look_at_all, 0);
  pthread_create(&t2, 0, look_at_first, 0);
  pthread_create(&t3, 0, look_at_second, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  __VERIFIER_assert(all == (first && second));
  return 0;
}
