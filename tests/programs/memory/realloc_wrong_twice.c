// expect: false(valid-free) args: --property valid-free
// The old object was freed.
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof(int));
  p[0] = 1;
  int *q = realloc(p, 16);
  free(p);
  return q == 0;
}
