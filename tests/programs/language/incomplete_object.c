// expect: true
// An object may be declared before its type is complete (C11 6.9.2), and be used by its address.
#include <assert.h>

struct later plain, given;
struct later *address(void) { return &plain; }
struct later {
  int a;
  long b;
};
struct later plain;
struct later given = {1, 7};

int main(void) {
  plain.b = 2;
  assert(address()->a == 0 && address()->b == 2 && given.b == 7);
  return 0;
}
