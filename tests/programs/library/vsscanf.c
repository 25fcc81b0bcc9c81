// expect: true
// A scanner of one's own.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static int scan(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vsscanf(text, format, list);
  va_end(list);
  return result;
}

int main(void) {
  unsigned a = 0;
  long b = 0;
  short c = 0;
  assert(scan("ff -12,63", "%x%ld,%hd", &a, &b, &c) == 3);
  assert(a == 255 && b == -12 && c == 63);
  return 0;
}
