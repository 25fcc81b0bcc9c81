// expect: false(valid-deref) args: --property valid-deref
#include <stdio.h>

int main(void) {
  char text[2] = "a";
  fwrite(text, 1, 3, stdout);
  return 0;
}
