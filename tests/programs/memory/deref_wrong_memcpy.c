// expect: false(valid-deref) args: --property valid-deref
#include <string.h>
int a[3], b[2];
int main(void) {
  memcpy(b, a, sizeof a);
  return 0;
}
