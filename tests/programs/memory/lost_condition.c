// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
int main(void) {
  if (malloc(4)) exit(0);
  return 0;
}
