// expect: true args: --property valid-memtrack
#include <stdlib.h>
static int *keep[2]; int main(void) {
  for (int i = 0; i < 2; i++) keep[i] = malloc(4);
  return 0;
}
