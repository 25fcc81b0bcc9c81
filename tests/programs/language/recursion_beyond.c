// expect: unknown "recursion" args: --recursion-bound 5
// Deeper than the bound: neither true nor false.
#include <assert.h>

static int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }

int main(void) {
  assert(sum(20) == 210);
  return 0;
}
