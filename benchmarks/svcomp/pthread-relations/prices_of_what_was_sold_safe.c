/* Two threads sell things of two prices, and keep what was sold and what was paid. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
    abort();
  }
}

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned few, many, paid;

void *sell_few(void *unused) {
  while (__VERIFIER_nondet_bool()) {
    __VERIFIER_atomic_begin();
    few++;
    paid += 3;
    __VERIFIER_atomic_end();
  }
  return 0;
}

void *sell_many(void *unused) {
  while (__VERIFIER_nondet_bool()) {
    __VERIFIER_atomic_begin();
    many += 2;
    paid += 10;
    __VERIFIER_atomic_end();
  }
  return 0;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, sell_few, 0);
  pthread_create(&t2, 0, sell_many, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  __VERIFIER_assert(paid == 3 * few + 5 * many);
  return 0;
}
