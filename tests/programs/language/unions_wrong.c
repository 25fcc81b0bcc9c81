// expect: false(unreach-call)
// The lowest byte comes first.
#include <assert.h>

union u { unsigned whole; unsigned char part[4]; };

int main(void) {
  union u u = {0x01020304};
  u.part[3] = 9;
  assert(u.part[0] == 4);
  assert(u.whole == 0x01020309);
  return 0;
}
