// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
int main(void) {
  malloc(4);
  exit(0);
}
