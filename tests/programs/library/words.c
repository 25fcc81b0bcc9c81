// expect: true args: --property unreach-call,valid-deref
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char text[] = "a=1;;b=2", more[] = "x,,y", *state, *word, *rest = more, copy[4];
  word = strtok_r(text, ";", &state);
  assert(!strcmp(word, "a=1"));
  word = strtok_r(0, ";", &state);
  assert(!strcmp(word, "b=2") && !strtok_r(0, ";", &state));
  assert(!strcmp(strsep(&rest, ","), "x") && !*strsep(&rest, ","));
  assert(!strcmp(strsep(&rest, ","), "y") && !strsep(&rest, ","));
  assert(strspn("aab", "a") == 2 && strcspn("abc", "dc") == 2 && !strpbrk("abc", "de"));
  assert(*strpbrk("abc", "cb") == 'b' && *strchrnul("ab", 'c') == 0);
  assert(stpcpy(copy, "abc") == copy + 3);
  assert(memrchr(copy, 'b', 4) == copy + 1 && !memrchr(copy, 'x', 4));
  word = strndup("hello", 2);
  assert(!word || !strcmp(word, "he"));
  free(word);
  return 0;
}
