// expect: true args: --property valid-memcleanup
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  abort();
}
