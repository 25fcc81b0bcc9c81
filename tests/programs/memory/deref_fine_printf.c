// expect: true args: --property valid-deref
#include <stdio.h>
char a[4] = {'a','b','c'};
int main(void) {
  printf("%s\n", a);
  return 0;
}
