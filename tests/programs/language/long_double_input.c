// expect: true
#include <assert.h>

int __VERIFIER_nondet_int(void);

/* The engines reason about inputs by the bits of the numbers. */
int main(void) {
  int n = __VERIFIER_nondet_int();
  long double x = n;
  if (x > 2.5L)
    assert(n >= 3);
  return 0;
}
