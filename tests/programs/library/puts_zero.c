// expect: false(valid-deref) args: --property valid-deref
// The number 0 is no text.
#include <stdio.h>

int main(void) {
  puts(0);
  return 0;
}
