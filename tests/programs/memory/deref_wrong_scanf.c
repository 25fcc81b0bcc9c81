// expect: false(valid-deref) args: --property valid-deref
#include <stdio.h>
int main(void) {
  int *p = 0;
  scanf("%d", p);
  return 0;
}
