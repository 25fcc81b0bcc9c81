// expect: false(valid-deref) args: --property valid-deref
// What is cut off cannot be accessed any more.
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof(int));
  p[0] = 1;
  p = realloc(p, sizeof(int));
  return p[1];
}
