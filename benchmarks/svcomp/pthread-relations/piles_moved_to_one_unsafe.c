/* Two threads move what is on two piles to a third one; all numbers may wrap around: one of them takes the last thing twice. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond) {
  if (!cond) {
    reach_error();
    abort();
  }
}

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned left, right, moved, all;

void *from_left(void *unused) {
  for (;;) {
    __VERIFIER_atomic_begin();
    if (left == 0) {
      __VERIFIER_atomic_end();
      return 0;
    }
    left--;
    moved++;
    __VERIFIER_atomic_end();
  }
}

void *from_right(void *unused) {
  for (;;) {
    __VERIFIER_atomic_begin();
    if (right == 0) {
      __VERIFIER_atomic_end();
      return 0;
    }
    right--;
    moved += right == 0 ? 2 : 1;
    __VERIFIER_atomic_end();
  }
}

int main(void) {
  pthread_t t1, t2;
  left = __VERIFIER_nondet_uint();
  right = __VERIFIER_nondet_uint();
  all = left + right;
  pthread_create(&t1, 0, from_left, 0);
  pthread_create(&t2, 0, from_right, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  __VERIFIER_assert(moved == all);
  return 0;
}
