/* Two pairs of threads count up and down as often as one another. */
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
#include <stdatomic.h>

atomic_int x, y;
int n, m;

void *x_up(void *unused) {
  for (int i = 0; i < n; i++)
    x++;
  return 0;
}

void *x_down(void *unused) {
  for (int i = 0; i < m; i++)
    x--;
  return 0;
}

void *y_up(void *unused) {
  for (int i = 0; i < n; i++)
    y++;
  return 0;
}

void *y_down(void *unused) {
  for (int i = 0; i < m; i++)
    y--;
  return 0;
}

int main(void) {
  pthread_t t1, t2, t3, t4;
  n = __VERIFIER_nondet_int();
  m = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000 || m < 0 || m > 1000)
    abort();
  pthread_create(&t1, 0, x_up, 0);
  pthread_create(&t2, 0, x_down, 0);
  pthread_create(&t3, 0, y_up, 0);
  pthread_create(&t4, 0, y_down, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  pthread_join(t4, 0);
  __VERIFIER_assert(x == y);
  return 0;
}
