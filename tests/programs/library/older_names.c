// expect: true args: --property unreach-call
// What preprocessed programs call, after older headers of glibc.
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *end, *copy = __strdup("ab");
  const int *lower = *__ctype_tolower_loc(), *upper = *__ctype_toupper_loc();
  assert(strcmp(copy, "ab") == 0);
  assert(__strtol_internal("-12x", &end, 10, 0) == -12 && *end == 'x');
  assert(__strtoul_internal("12", 0, 0, 0) == 12);
  assert(lower['A'] == 'a' && lower['Z'] == 'z' && lower['['] == '[' && lower[-1] == -1);
  assert(upper['a'] == 'A' && upper['z'] == 'Z' && upper['{'] == '{' && upper[-2] == 254);
  free(copy);
  return 0;
}
