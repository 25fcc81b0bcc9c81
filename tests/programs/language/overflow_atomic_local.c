// expect: true args: --property no-overflow
// An update of an atomic object wraps around, also of a local one.
#include <stdatomic.h>
int main(void) {
  atomic_int a = 2147483647, b = 65536;
  a++;
  b *= 65536;
  return a + b > 0;
}
