// expect: false(valid-free) args: --property valid-free
#include <stdlib.h>
int main(void) {
  int *p = malloc(8);
  free(p + 1);
  return 0;
}
