// expect: false(unreach-call) args: --signed-overflow wrap
#include <assert.h>
#include <limits.h>

int main(void) {
  int n = INT_MIN, by = -1;
  assert(n % by != 0);
  return 0;
}
