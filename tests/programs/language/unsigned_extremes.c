// expect: true
// GCC's umax and umin compare the bits of signed objects as unsigned numbers.
#include <assert.h>

int main(void) {
  int x = -1;
  __sync_fetch_and_umax(&x, 42);
  assert(x == -1);
  __sync_fetch_and_max(&x, 42);
  assert(x == 42);
  __sync_fetch_and_umin(&x, -7);
  assert(x == 42);
  __sync_fetch_and_min(&x, -7);
  assert(x == -7);
  return 0;
}
