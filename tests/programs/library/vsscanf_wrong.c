// expect: false(unreach-call)
// What a short cannot hold is undefined; glibc stores the end of it.
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
  short a = 0;
  scan("32768", "%hd", &a);
  assert(a == 32767);
  return 0;
}
