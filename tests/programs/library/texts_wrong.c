// expect: false(unreach-call)
/* The result of strlcpy is the length of what was to be copied. */
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>

int main(void) {
  char copy[4];
  assert(strlcpy(copy, "hello", sizeof copy) < sizeof copy);
  return 0;
}
