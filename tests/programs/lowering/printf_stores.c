// expect: unsupported "%n in the format of printf"
#include <stdio.h>

int main(void) {
  int written = 0;
  printf("100%% %d%n", 5, &written);
  return written;
}
