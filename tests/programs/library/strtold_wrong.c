// expect: false(unreach-call)
// What strtod gives was rounded to a double.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(strtold("0.1", 0) == strtod("0.1", 0));
  return 0;
}
