// expect: false(valid-deref) args: --property valid-deref
#include <string.h>
int x;
int main(void) {
  memset(&x, 0, 8);
  return 0;
}
