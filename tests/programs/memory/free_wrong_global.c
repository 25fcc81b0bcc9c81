// expect: false(valid-free) args: --property valid-free
#include <stdlib.h>
int x;
int main(void) {
  free(&x);
  return 0;
}
