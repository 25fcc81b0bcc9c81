// expect: false(valid-deref) args: --property valid-deref
#include <stdlib.h>
int main(void) {
  char *p = malloc(0);
  *p = 1;
  return 0;
}
