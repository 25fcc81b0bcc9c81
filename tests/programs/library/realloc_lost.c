// expect: false(valid-memtrack) args: --property valid-memtrack --malloc-may-fail
// The only pointer to the old object is overwritten where it fails.
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  if (p == NULL)
    return 0;
  p = realloc(p, 8);
  if (p == NULL)
    return 1;
  free(p);
  return 0;
}
