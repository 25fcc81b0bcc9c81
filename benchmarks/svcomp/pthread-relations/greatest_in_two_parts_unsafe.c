/* The greatest number of an array is the greater one of those of its two parts: the second part begins one element late. */
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
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int *a;
int n, m;
int whole, parts;

static int *numbers(int size) {
  int *its = malloc(size * sizeof(int));
  for (int i = 0; i < size; i++)
    its[i] = __VERIFIER_nondet_int();
  return its;
}

void *in_all(void *unused) {
  for (int i = 0; i < n; i++)
    if (whole < a[i])
      whole = a[i];
  return 0;
}

void *in_first(void *unused) {
  for (int i = 0; i < m; i++) {
    __VERIFIER_atomic_begin();
    if (parts < a[i])
      parts = a[i];
    __VERIFIER_atomic_end();
  }
  return 0;
}

void *in_second(void *unused) {
  for (int i = m + 1; i < n; i++) {
    __VERIFIER_atomic_begin();
    if (parts < a[i])
      parts = a[i];
    __VERIFIER_atomic_end();
  }
  return 0;
}

int main(void) {
  pthread_t t1, t2, t3;
  n = __VERIFIER_nondet_int();
  m = __VERIFIER_nondet_int();
  if (n < 2 || n > 1000 || m < 0 || m >= n)
    abort();
  a = numbers(n);
  pthread_create(&t1, 0, in_all, 0);
  pthread_create(&t2, 0, in_first, 0);
  pthread_create(&t3, 0, in_second, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  __VERIFIER_assert(whole == parts);
  return 0;
}
