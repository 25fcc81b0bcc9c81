// expect: unknown "out of range"
// What a short cannot hold is undefined.
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
  short a = 0;
  return scan("32768", "%hd", &a);
}
