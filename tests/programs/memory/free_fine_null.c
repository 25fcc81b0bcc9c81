// expect: true args: --property valid-free
#include <stdlib.h>
int main(void) {
  free(0);
  return 0;
}
