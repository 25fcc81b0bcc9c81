// expect: true args: --property valid-deref --property unreach-call
#include <assert.h>
#include <string.h>

int main(void) {
  char three[3] = "abd", four[4] = "abcz";
  assert(memcmp(three, four, 3) > 0);
  assert(memcmp(four, three, 3) < 0);
  assert(memcmp(three, four, 2) == 0);
  assert(memcmp(three, four, 0) == 0);
  return 0;
}
