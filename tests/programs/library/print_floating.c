// expect: unknown "a floating-point number in a format"
#include <stdio.h>

int main(void) {
  char text[8];
  snprintf(text, sizeof text, "%e", 1e300);
  return 0;
}
