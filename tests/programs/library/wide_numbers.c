// expect: true args: --data-model ILP32
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
  char *end;
  assert(strtoll("-9223372036854775808", 0, 10) == LLONG_MIN && errno == 0);
  assert(strtol("2147483648", 0, 10) == LONG_MAX && errno == ERANGE);
  assert(strtoull("12x", &end, 0) == 12 && *end == 'x');
  assert(strtoumax("-1", 0, 10) == UINTMAX_MAX && strtoimax("0x10", 0, 16) == 16);
  return 0;
}
