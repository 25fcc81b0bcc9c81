// expect: false(valid-deref) args: --property valid-deref
// cause: use after free
// One thread does it alone.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);  // <-
  return *p;  // <-
}
