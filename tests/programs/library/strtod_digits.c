// expect: unknown "a text of a floating-point number of many digits is read" args: --engine explicit
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(strtod("0.1234567890123456789", 0) < 1);
  return 0;
}
