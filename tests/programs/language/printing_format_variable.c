// expect: unsupported "with a format that is no literal: it may have %n"
#include <stdio.h>
const char *format = "abc%n";
int main(void) {
  int n = 0;
  printf(format, &n);
  return n;
}
