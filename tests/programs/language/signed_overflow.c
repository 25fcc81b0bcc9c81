// expect: true args: --signed-overflow wrap
// With the option, signed overflow wraps around.
#include <assert.h>
#include <limits.h>

int main(void) {
  int i = INT_MAX;
  i++;
  assert(i == INT_MIN);
  i = INT_MAX;
  assert(i + 1 < i && i * 2 == -2 && -INT_MIN == INT_MIN);
  long long l = LLONG_MIN;
  l--;
  assert(l == LLONG_MAX);
  return 0;
}
