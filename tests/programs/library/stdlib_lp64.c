// expect: true args: --data-model LP64
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
  assert(sizeof(long) == 8 && LONG_MAX > INT_MAX);
  assert(strtol("-9223372036854775808", 0, 10) == LONG_MIN);
  assert(atol("4294967296") == 4294967296L);
  return 0;
}
