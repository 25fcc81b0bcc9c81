// expect: false(unreach-call)
// Large numbers are their own successors.
#include <assert.h>

double __VERIFIER_nondet_double(void);
void __VERIFIER_assume(int condition);

int main(void) {
  double x = __VERIFIER_nondet_double();
  __VERIFIER_assume(x > 0 && x < 1e300);
  assert(x + 1 > x);
  return 0;
}
