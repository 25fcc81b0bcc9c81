// expect: false(valid-free) args: --property valid-free
#include <stdlib.h>
int main(void) {
  int *p = malloc(8);
  free(p);
  free(p);
  return 0;
}
