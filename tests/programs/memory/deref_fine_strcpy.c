// expect: true args: --property valid-deref
#include <string.h>
char a[4];
int main(void) {
  strcpy(a, "abc");
  return 0;
}
