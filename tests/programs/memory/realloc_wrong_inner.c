// expect: false(valid-free) args: --property valid-free
// What is not the beginning of an object cannot be moved.
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof(int));
  p[0] = 1;
  p = realloc(p + 1, 16);
  return p == 0;
}
