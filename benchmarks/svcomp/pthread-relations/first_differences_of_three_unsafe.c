/* Of three arrays the first equals the third as far as the first and the second, and these two, are equal: one search goes on behind a difference. */
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

int *a, *b, *c;
int n;
int ab, bc, ac;

static int *numbers(int size) {
  int *its = malloc(size * sizeof(int));
  for (int i = 0; i < size; i++)
    its[i] = __VERIFIER_nondet_int();
  return its;
}

void *of_first_two(void *unused) {
  while (ab < n && a[ab] == b[ab])
    ab++;
  return 0;
}

void *of_last_two(void *unused) {
  while (bc < n && b[bc] <= c[bc])
    bc++;
  return 0;
}

void *of_first_and_last(void *unused) {
  while (ac < n && a[ac] == c[ac])
    ac++;
  return 0;
}

int main(void) {
  pthread_t t1, t2, t3;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    abort();
  a = numbers(n);
  b = numbers(n);
  c = numbers(n);
  pthread_create(&t1, 0, of_first_two, 0);
  pthread_create(&t2, 0, of_last_two, 0);
  pthread_create(&t3, 0, of_first_and_last, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  __VERIFIER_assert(ac == n || ab < n || bc < n);
  return 0;
}
