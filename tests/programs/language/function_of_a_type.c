// expect: true
// A block may declare a function by a type, and hide one by a variable; both end with the block.
#include <assert.h>

typedef int number(void);

int one(void) { return 1; }
int two(void) { return 2; }

int main(void) {
  int (*f)(void) = 0;
  {
    number one;
    f = one;
  }
  assert(f() == 1);
  {
    int two = 3;
    struct { int one; } s = {two};
    assert(s.one == 3);
  }
  f = two;
  assert(f() == 2);
  return 0;
}
