// expect: unknown "memcpy between areas that overlap"
// C11 7.24.2.1p2: the behaviour is undefined; memmove is for that.
#include <string.h>

int main(void) {
  char a[8];
  memset(a, 0, sizeof a);
  memmove(a + 1, a, 4);
  memcpy(a + 4, a, 4);
  memcpy(a + 1, a, 4);
  return 0;
}
