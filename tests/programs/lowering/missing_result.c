// expect: false(unreach-call)
#include <assert.h>

/* What is used of a call that returns nothing is not the result of the call before it. */
int positive(int x) {
  if (x > 0)
    return 1;
}

int main(void) {
  int last = 0;
  for (int i = 1; i >= 0; i--)
    last = positive(i);
  assert(last == 1);
  return 0;
}
