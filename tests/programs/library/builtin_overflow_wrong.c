// expect: false(unreach-call)
// What does not fit wraps around.
#include <assert.h>
#include <limits.h>

int main(void) {
  int i;
  if (__builtin_add_overflow(INT_MAX, 1, &i)) assert(i > 0);
  return 0;
}
