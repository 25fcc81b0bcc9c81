// expect: true args: --property valid-memtrack
#include <stdlib.h>
_Thread_local int *g; int main(void) {
  g = malloc(4);
  return 0;
}
