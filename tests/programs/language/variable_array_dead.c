// expect: true
// Where a call is inlined with a constant, the length of an array that is not reached may be negative.
#include <assert.h>

static int triangle(int n) {
  if (n == 0) return 0;
  int row[n];
  row[n - 1] = n;
  return row[n - 1] + triangle(n - 1);
}

int main(void) {
  assert(triangle(4) == 10);
  return 0;
}
