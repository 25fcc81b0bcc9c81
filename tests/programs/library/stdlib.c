// expect: true
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
  char *end;
  const char *text = "12ab";
  assert(abs(-3) == 3 && abs(4) == 4 && labs(-5L) == 5 && llabs(-6LL) == 6);
  assert(atoi(" \t-42x") == -42 && atoi("+7") == 7 && atoi("") == 0);
  assert(atoi("-2147483648") == INT_MIN && atol("99") == 99);
  assert(strtol(text, &end, 10) == 12 && end == text + 2);
  assert(strtol(text, &end, 16) == 0x12ab && end == text + 4);
  assert(strtol("0x1f", 0, 0) == 31 && strtol("017", 0, 0) == 15 && strtol("19", 0, 0) == 19);
  assert(strtol("0x1f", 0, 16) == 31 && strtol("-zz", 0, 36) == -1295);
  assert(strtol("x", &end, 10) == 0 && *end == 'x');
  assert(errno == 0);
  assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
  assert(strtol("-99999999999999999999", 0, 10) == LONG_MIN);
  assert(strtoul("-1", 0, 10) == ULONG_MAX);
  return 0;
}
