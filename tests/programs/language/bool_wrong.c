// expect: false(unreach-call)
// A conversion to _Bool tells zero from the rest; it does not cut bits off.
#include <assert.h>
#include <stdbool.h>

int main(void) {
  bool b = 256;
  bool half = 0.5;
  assert(b == 1 && half == 1);
  b++;
  assert(b == 0);
  return 0;
}
