// expect: false(valid-free) args: --property valid-free
#include <alloca.h>
#include <stdlib.h>
int main(void) {
  int *a = alloca(sizeof *a);
  free(a);
  return 0;
}
