// expect: false(valid-deref) args: --property valid-deref
// 99.996 has a digit more where it is rounded.
#include <stdio.h>

int main(void) {
  char text[6];
  double share = 99.996;
  sprintf(text, "%.2f", share);
  return text[0] == '1';
}
