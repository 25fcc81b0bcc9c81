// expect: false(unreach-call)
// A variable of a loop's body is a new one in every round.
#include <assert.h>

int main(void) {
  for (int i = 0; i < 2; i++) {
    _Bool b;
    if (i == 0)
      b = 1;
    assert(b);
  }
  return 0;
}
