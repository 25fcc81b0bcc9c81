// expect: false(unreach-call)
// The remainder of a known number by an unknown one: 7 only by larger divisors.
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int a[8] = {0, 0, 0, 0, 0, 0, 0, 1};

int main(void) {
  int divisor = __VERIFIER_nondet_bool() ? -7 : 9;
  assert(a[7 % divisor] == 1);
  return 0;
}
