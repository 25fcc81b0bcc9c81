// expect: true
#include <assert.h>
#include <stdarg.h>

struct pair {
  int x, y;
};
struct wide {
  char c;
  double d;
  struct pair p;
};

static int sum(int n, ...) {
  va_list list;
  int s = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) {
    struct pair p = va_arg(list, struct pair);
    s += p.x * p.y;
    p.x = 100;
  }
  s += va_arg(list, struct wide).p.y;
  s += va_arg(list, int);
  va_end(list);
  return s;
}

int main(void) {
  struct pair a = {1, 2};
  struct wide w = {'a', 1.5, {7, 8}};
  assert(sum(2, a, (struct pair){3, 4}, w, 5) == 14 + 8 + 5);
  assert(a.x == 1);
  return 0;
}
