// expect: true args: --property valid-memtrack
#include <stdlib.h>
void f(int n) {
  int *a[n];
  a[0] = malloc(4);
  free(a[0]);
}
int main(void) {
  f(2);
  f(3);
  return 0;
}
