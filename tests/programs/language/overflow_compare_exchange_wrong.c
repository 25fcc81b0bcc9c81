// expect: false(no-overflow) args: --property no-overflow
// The new value of a compare-and-exchange is computed, also if it fails.
#include <stdatomic.h>
atomic_int x;
int main(void) {
  int i = 2147483647, expected = 1;
  atomic_compare_exchange_strong(&x, &expected, i + 1);
  return 0;
}
