// expect: false(unreach-call)
// An arbitrary number may be none.
#include <assert.h>

float __VERIFIER_nondet_float(void);

int main(void) {
  float x = __VERIFIER_nondet_float();
  assert(x <= 0 || x > 0);
  return 0;
}
