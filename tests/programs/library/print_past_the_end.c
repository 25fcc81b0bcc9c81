// expect: false(valid-deref) args: --property valid-deref
#include <stdio.h>

int main(void) {
  char text[4];
  return sprintf(text, "%d", 1234);
}
