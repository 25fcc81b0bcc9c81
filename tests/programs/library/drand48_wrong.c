// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>

int main(void) {
  double x = drand48();
  assert(x >= 0 && x < 1);
  assert(x != 0.5);
  return 0;
}
