// expect: false(unreach-call) args: --recursion-bound 5
// The error lies within the bound.
#include <assert.h>

static int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }

int main(void) {
  assert(sum(3) != 6);
  return 0;
}
