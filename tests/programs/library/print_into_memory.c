// expect: true args: --property unreach-call,valid-deref
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[24];
  assert(sprintf(text, "%d|%4d|%-2d|%03d", -7, 42, 3, 12) == 14);
  assert(!strcmp(text, "-7|  42|3 |012"));
  assert(snprintf(text, 4, "%s", "abcdef") == 6 && !strcmp(text, "abc"));
  assert(snprintf(0, 0, "%ld", 123L) == 3);
  return 0;
}
