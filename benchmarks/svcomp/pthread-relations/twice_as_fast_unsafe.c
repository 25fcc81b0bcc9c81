/* The second thread counts once more. */
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

int n, x, y;

void *by_two(void *unused) {
  for (int i = 0; i < n; i++)
    x += 2;
  return 0;
}

void *by_one(void *unused) {
  for (int i = 0; i <= n; i++)
    y++;
  return 0;
}

int main(void) {
  pthread_t t1, t2;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100000)
    abort();
  pthread_create(&t1, 0, by_two, 0);
  pthread_create(&t2, 0, by_one, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  __VERIFIER_assert(x == 2 * y);
  return 0;
}
