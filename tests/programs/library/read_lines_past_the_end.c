// expect: false(valid-deref) args: --property valid-deref
#include <stdio.h>

int main(void) {
  char line[2];
  fgets(line, 4, stdin);
  return 0;
}
