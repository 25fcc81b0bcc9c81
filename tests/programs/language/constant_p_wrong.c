// expect: false(unreach-call)
// Whether a compiler knows the value of a variable depends on its optimisation.
#include <assert.h>

int main(void) {
  int local = 3;
  assert(!__builtin_constant_p(local));
  return 0;
}
