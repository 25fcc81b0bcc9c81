// expect: true
// A function that is named only where nothing is executed can be compared with, all the same.
#include <assert.h>

static int one(void) { return 1; }
static int two(void) { return 2; }

int main(void) {
  int (*f)(void) = one;
  if (0) f = two;
  int (*const table[])(void) = {f};
  assert(table[0]() == 1);
  return 0;
}
