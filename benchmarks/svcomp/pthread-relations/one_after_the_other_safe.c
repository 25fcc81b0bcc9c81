/* Each of three threads goes a step when the one before has gone one. */
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

int n, x, y, z;

void *one(void *unused) {
  for (int i = 0; i < n; i++)
    x++;
  return 0;
}

void *two(void *unused) {
  for (int i = 0; i < n; i++) {
    if (y >= x)
      abort();
    y++;
  }
  return 0;
}

void *three(void *unused) {
  for (int i = 0; i < n; i++) {
    if (z >= y)
      abort();
    z++;
    __VERIFIER_assert(z <= x);
  }
  return 0;
}

int main(void) {
  pthread_t t1, t2, t3;
  n = __VERIFIER_nondet_int();
  if (n > 100000)
    abort();
  pthread_create(&t1, 0, one, 0);
  pthread_create(&t2, 0, two, 0);
  pthread_create(&t3, 0, three, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  __VERIFIER_assert(x == y && y == z);
  return 0;
}
