// expect: false(valid-deref) args: --property valid-deref
#include <string.h>
char a[3];
int main(void) {
  strcpy(a, "abc");
  return 0;
}
