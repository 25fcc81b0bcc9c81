// expect: false(valid-free) args: --property valid-free
#include <stdlib.h>
int main(void) {
  int x;
  free(&x);
  return 0;
}
