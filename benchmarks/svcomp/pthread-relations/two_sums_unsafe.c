/* The second sum leaves the first element out. */
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
unsigned s, t;

void *add_up(void *unused) {
  for (int i = 0; i < n; i++)
    s += a[i];
  return 0;
}

void *add_again(void *unused) {
  for (int i = 1; i < n; i++)
    t += a[i];
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
  pthread_create(&t1, 0, add_up, 0);
  pthread_create(&t2, 0, add_again, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  __VERIFIER_assert(s == t);
  return 0;
}
