// expect: true
// Library functions by the names of their builtins.
#include <assert.h>

int main(void) {
  char b[8];
  int *p = __builtin_malloc(4), *q = __builtin_calloc(1, 4);
  __builtin_strcpy(b, "abc");
  __builtin_strcat(b, "d");
  assert(__builtin_strlen(b) == 4 && __builtin_strcmp(b, "abcd") == 0);
  assert(__builtin_memcmp(b, "abx", 3) < 0 && __builtin_strchr(b, 'c') == b + 2);
  assert(__builtin_abs(-3) == 3 && *q == 0);
  __builtin_free(p);
  __builtin_free(q);
  __builtin_putchar('x');
  __builtin_exit(0);
}
