// expect: true
#include <assert.h>

double __VERIFIER_nondet_double(void);
void __VERIFIER_assume(int condition);

int main(void) {
  double x = __VERIFIER_nondet_double();
  __VERIFIER_assume(x >= 1 && x <= 2);
  assert(x + 1 <= 3 && (int)x >= 1 && (int)x <= 2);
  return 0;
}
