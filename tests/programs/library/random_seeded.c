// expect: true
// The same seed gives the same numbers; without one it is 1.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int a = rand(), b = rand();
  assert(a >= 0 && a <= RAND_MAX);
  srand(1);
  int c = rand(), d = rand();
  assert(a == c && b == d);
  srand(2);
  c = rand();
  srand(2);
  assert(c == rand());
  return 0;
}
