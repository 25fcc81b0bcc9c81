// expect: unknown "out of the bounds of main:x"
#include <assert.h>
#include <string.h>

int main(void) {
  int x = 5;
  int y = 6;
  memset(&x, 0, 2 * sizeof x);
  assert(y == 6);
  return 0;
}
