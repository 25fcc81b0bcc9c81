// expect: unsupported "%n in the format of printf"
#include <stdio.h>
int main(void) {
  int n = 0;
  printf("%" "1$\x6e", &n);
  return n;
}
