// expect: unknown "out of range"
// What an int cannot hold is undefined, also in a literal.
#include <stdio.h>

int main(void) {
  int x = 0;
  return sscanf("2147483648", "%d", &x);
}
