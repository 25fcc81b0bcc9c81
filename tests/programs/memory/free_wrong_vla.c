// expect: false(valid-free) args: --property valid-free
#include <stdlib.h>
int n = 2;
int main(void) {
  int a[n];
  free(a);
  return 0;
}
