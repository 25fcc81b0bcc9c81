// expect: false(valid-deref) args: --property valid-deref
// A stream that was opened is used, whether it is there or not.
#include <stdarg.h>
#include <stdio.h>

static void told(FILE *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(to, format, list);
  va_end(list);
}

int main(void) {
  FILE *file = fopen("a", "r+");
  fflush(0);
  told(file, "%d", 3);
  return 0;
}
