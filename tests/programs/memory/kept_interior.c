// expect: true args: --property valid-memtrack
#include <stdlib.h>
int *g; int main(void) {
  g = (int*)malloc(8) + 2;
  return 0;
}
