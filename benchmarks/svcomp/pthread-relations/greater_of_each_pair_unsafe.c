/* What two threads take from two arrays, the smaller and the greater of each pair, adds up to all: of equal pairs one thread takes nothing. */
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
int n;
unsigned small, great, all;

static int *numbers(int size) {
  int *its = malloc(size * sizeof(int));
  for (int i = 0; i < size; i++)
    its[i] = __VERIFIER_nondet_int();
  return its;
}

void *take_small(void *unused) {
  for (int i = 0; i < n; i++)
    small += a[i] < b[i] ? 1 : 0;
  return 0;
}

void *take_great(void *unused) {
  for (int i = 0; i < n; i++)
    great += a[i] <= b[i] ? 0 : 1;
  return 0;
}

void *take_all(void *unused) {
  for (int i = 0; i < n; i++)
    all++;
  return 0;
}

int main(void) {
  pthread_t t1, t2, t3;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    abort();
  a = numbers(n);
  b = numbers(n);
  pthread_create(&t1, 0, take_small, 0);
  pthread_create(&t2, 0, take_great, 0);
  pthread_create(&t3, 0, take_all, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  __VERIFIER_assert(small + great == all);
  return 0;
}
