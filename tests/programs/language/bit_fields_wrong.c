// expect: false(unreach-call)
// A narrow unsigned bit-field is an int in arithmetic; a signed one of one bit holds 0 and -1.
#include <assert.h>

struct s { unsigned narrow : 3; int sign : 1; };

int main(void) {
  struct s s = {0};
  s.sign = 1;
  assert(s.sign == -1);
  s.narrow = 7;
  assert(s.narrow - 8 > 0);
  return 0;
}
