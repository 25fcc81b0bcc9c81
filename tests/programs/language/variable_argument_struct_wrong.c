// expect: false(unreach-call)
// What follows a struct among variable arguments is not taken from the struct, and the struct is a copy.
#include <assert.h>
#include <stdarg.h>

struct pair { int first; long second; };

static long sum(int n, ...) {
  va_list rest;
  va_start(rest, n);
  struct pair p = va_arg(rest, struct pair);
  int last = va_arg(rest, int);
  va_end(rest);
  p.first = 0;
  return p.second * 10 + last;
}

int main(void) {
  struct pair p = {1, 2};
  long result = sum(2, p, 3);
  assert(p.first == 1);
  assert(result == 22);
  return 0;
}
