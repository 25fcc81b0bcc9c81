// expect: true
/* Rarer functions of texts and memory. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void) {
  char text[12] = "hello world";
  char copy[8];
  assert(memmem(text, 11, "wor", 3) == text + 6 && memmem(text, 8, "wor", 3) == 0);
  assert(mempcpy(copy, "abc", 3) == copy + 3 && memcmp(copy, "abc", 3) == 0);
  assert(memccpy(copy, "xyz", 'y', 3) == copy + 2 && copy[1] == 'y' && copy[2] == 'c');
  assert(rawmemchr(text, 'w') == text + 6 && strcasestr(text, "WORLD") == text + 6);
  assert(stpncpy(copy, "ab", 4) == copy + 2 && copy[3] == 0);
  assert(strlcpy(copy, text, sizeof copy) == 11 && strcmp(copy, "hello w") == 0);
  copy[2] = 0;
  assert(strlcat(copy, "y", sizeof copy) == 3 && strcmp(copy, "hey") == 0);
  assert(strcoll("a", "b") < 0 && strxfrm(0, text, 0) == 11);
  assert(bcmp("a", "a", 1) == 0 && ffsl(8) == 4 && ffsll(0) == 0);
  bcopy(text, text + 1, 4);
  assert(memcmp(text, "hhell", 5) == 0);
  explicit_bzero(copy, 2);
  assert(copy[0] == 0 && copy[1] == 0 && copy[2] == 'y');
  assert(strcmp(basename("/usr/lib"), "lib") == 0);
  div_t parts = div(-7, 2);
  assert(parts.quot == -3 && parts.rem == -1 && ldiv(7, 2).rem == 1 && lldiv(9, 2).quot == 4);
  return 0;
}
