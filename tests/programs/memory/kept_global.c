// expect: true args: --property valid-memtrack
#include <stdlib.h>
int *g; int main(void) {
  g = malloc(4);
  return 0;
}
