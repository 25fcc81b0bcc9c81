// expect: false(valid-deref) args: --property valid-deref
#include <stdlib.h>
int main(void) {
  int *p = malloc(2);
  *p = 1;
  return 0;
}
