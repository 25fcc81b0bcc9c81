/* The least element of an array is not greater than the greatest one. */
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
int least, greatest;

void *find_least(void *unused) {
  for (int i = 0; i < n; i++)
    if (a[i] < least)
      least = a[i];
  return 0;
}

void *find_greatest(void *unused) {
  for (int i = 0; i < n; i++)
    if (a[i] > greatest)
      greatest = a[i];
  return 0;
}

int main(void) {
  pthread_t t1, t2;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    abort();
  a = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  if (n < 1)
    abort();
  least = 1000000;
  greatest = -1000000;
  if (a[0] < -1000000 || a[0] > 1000000)
    abort();
  pthread_create(&t1, 0, find_least, 0);
  pthread_create(&t2, 0, find_greatest, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  __VERIFIER_assert(least <= greatest);
  return 0;
}
