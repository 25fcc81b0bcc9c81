// expect: false(unreach-call)
// A jump into a block leaves out what initialises it.
#include <assert.h>

int main(void) {
  int n = 1, reached = 0;
  goto inside;
  {
    n = 5;
  inside:
    reached = n;
  }
  assert(reached == 5);
  return 0;
}
