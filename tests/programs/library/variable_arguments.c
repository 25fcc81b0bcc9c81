// expect: true args: --property unreach-call,valid-deref
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char out[32];
static int length;

static void emit(const char *format, va_list list) {
  for (; *format; format++) {
    if (*format == 'c') {
      out[length++] = (char)va_arg(list, int);
    } else if (*format == 's') {
      const char *text = va_arg(list, const char *);
      while (*text)
        out[length++] = *text++;
    } else {
      out[length++] = (char)('0' + va_arg(list, long));
    }
  }
  out[length] = 0;
}

static void print(const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  emit(format, list);
  emit(format, again);
  vfprintf(stderr, format, again);
  va_end(again);
  va_end(list);
}

static int sum(int count, ...) {
  int result = 0;
  va_list list;
  va_start(list, count);
  while (count-- > 0)
    result += va_arg(list, int);
  va_end(list);
  return result;
}

struct holder {
  va_list list;
};

static int second(int first, ...) {
  struct holder h;
  va_start(h.list, first);
  (void)va_arg(h.list, int);
  return va_arg(h.list, int);
}

int main(void) {
  short small = -3;
  char letter = 'z';
  print("scl", "ab", letter, 7L);
  assert(!strcmp(out, "abz7abz7"));
  assert(sum(0) == 0);
  assert(sum(3, 1, small, 4) == 2);
  assert(second(0, 5, sum(2, 3, 3)) == 6);
  return 0;
}
