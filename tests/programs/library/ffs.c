// expect: true
#include <assert.h>
#include <limits.h>
#include <strings.h>

int main(void) {
  assert(ffs(0) == 0);
  assert(ffs(1) == 1);
  assert(ffs(12) == 3);
  assert(ffs(-1) == 1);
  assert(ffs(INT_MIN) == 32);
  return 0;
}
