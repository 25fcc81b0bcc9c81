// expect: false(valid-free) args: --property valid-free
// What was freed cannot be moved.
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof(int));
  p[0] = 1;
  free(p);
  p = realloc(p, 16);
  return p == 0;
}
