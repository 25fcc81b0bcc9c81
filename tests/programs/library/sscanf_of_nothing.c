// expect: false(valid-deref) args: --property valid-deref
// There has to be a text.
#include <stdio.h>

int main(void) {
  char *text = 0;
  int x;
  return sscanf(text, "%d", &x);
}
