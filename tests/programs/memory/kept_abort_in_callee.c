// expect: true args: --property valid-memtrack
#include <stdlib.h>
void f(int *p) {
  abort();
}
int main(void) {
  f(malloc(4));
  return 0;
}
