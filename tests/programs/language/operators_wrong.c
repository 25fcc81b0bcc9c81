// expect: false(unreach-call)
// Operands become unsigned together; division goes towards zero.
#include <assert.h>

int main(void) {
  int minus = -1;
  unsigned one = 1;
  assert(-7 / 2 == -3 && -7 % 2 == -1);
  assert(minus < one);
  return 0;
}
