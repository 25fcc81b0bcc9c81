// expect: false(valid-deref) args: --property valid-deref
// Both blocks have to be there, also behind the first difference.
#include <string.h>

int main(void) {
  char three[3] = "abd", four[4] = "abc";
  return memcmp(three, four, 4) == 0;
}
