// expect: false(valid-deref) args: --property valid-deref
#include <stdio.h>

int main(void) {
  char text[2];
  fread(text, 3, 1, stdin); // a part of an element is stored, too
  return 0;
}
