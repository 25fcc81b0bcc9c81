// expect: false(valid-deref) args: --property valid-deref
// It has moved: the old pointer is dangling, even if it would have had room.
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof(int));
  p[0] = 1;
  int *old = p;
  p = realloc(p, 8 * sizeof(int));
  return old[0];
}
