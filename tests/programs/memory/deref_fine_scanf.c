// expect: true args: --property valid-deref
#include <stdio.h>
int main(void) {
  int x;
  scanf("%d", &x);
  return 0;
}
