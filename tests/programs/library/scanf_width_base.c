// expect: true
// What %i reads of a few characters is less than what %x could; more than eight are bounded, too.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int x, y;
  if (scanf("%3i%9d", &x, &y) == 2)
    assert(x <= 999 && x >= -99 && y <= 999999999 && y >= -99999999);
  return 0;
}
