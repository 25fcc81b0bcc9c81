// expect: false(valid-deref) args: --property valid-deref
// Fourteen characters and the null character do not fit.
#include <stdio.h>

int main(void) {
  char text[14];
  sprintf(text, "%p", (void *)text);
  return 0;
}
