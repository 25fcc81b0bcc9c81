// expect: unknown "free"
// A freed object is gone.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  int *q = p;
  free(p);
  return *q;
}
