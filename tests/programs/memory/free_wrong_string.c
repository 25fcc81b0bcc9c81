// expect: false(valid-free) args: --property valid-free
#include <stdlib.h>
int main(void) {
  free("abc");
  return 0;
}
