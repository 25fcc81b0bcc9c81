// expect: true
// The name that is defined stands in parentheses, behind a typedef or without a type.
#include <assert.h>

typedef unsigned long size;
typedef int T;

size(count)(char const *s, size n) {
  size k = 0;
  while (k < n && s[k])
    k++;
  return k;
}
T *(same)(T *p) { return p; }
static T(twice)(int a) { return a + a; }
T (*chosen(void))(int) { return twice; }
old(a) int a; { return a + 1; }

int main(void) {
  T x = 3;
  assert(count("ab", 5) == 2 && same(&x) == &x && chosen()(4) == 8 && old(1) == 2);
  return 0;
}
