/* Three threads go the same way, in strides of one, two and three. */
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

int n;
int x, y, z;

void *in_ones(void *unused) {
  for (int i = 0; i < n; i++)
    x++;
  return 0;
}

void *in_twos(void *unused) {
  for (int i = 0; i < 2 * n; i += 2)
    y += 2;
  return 0;
}

void *in_threes(void *unused) {
  for (int i = 0; i < 3 * n; i += 3)
    z += 3;
  return 0;
}

int main(void) {
  pthread_t t1, t2, t3;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    abort();
  pthread_create(&t1, 0, in_ones, 0);
  pthread_create(&t2, 0, in_twos, 0);
  pthread_create(&t3, 0, in_threes, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  __VERIFIER_assert(x + y == z);
  return 0;
}
