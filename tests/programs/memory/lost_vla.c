// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
void f(int n) {
  int *a[n];
  a[0] = malloc(4);
}
int main(void) {
  f(2);
  exit(0);
}
