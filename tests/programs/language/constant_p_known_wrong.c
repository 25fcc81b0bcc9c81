// expect: false(unreach-call)
// Whether a compiler knows the value of a parameter depends on its optimisation.
#include <assert.h>

static int known(int parameter) { return __builtin_constant_p(parameter); }

int main(void) {
  assert(known(3));
  return 0;
}
