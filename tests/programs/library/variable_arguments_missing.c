// expect: false(valid-deref) args: --property valid-deref
#include <stdarg.h>

static int sum(int count, ...) {
  int result = 0;
  va_list list;
  va_start(list, count);
  while (count-- > 0)
    result += va_arg(list, int);
  va_end(list);
  return result;
}

int main(void) { return sum(2, 1); }
