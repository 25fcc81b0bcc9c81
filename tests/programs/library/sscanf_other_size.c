// expect: false(unreach-call)
// A %d into a long is undefined; it stores the half of it.
#include <assert.h>
#include <stdio.h>

int main(void) {
  long x = -1;
  sscanf("12", "%d", &x);
  assert(x == 12);
  return 0;
}
