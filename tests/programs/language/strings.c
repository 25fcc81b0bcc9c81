// expect: true
// String literals: sizes, escapes, concatenation, arrays initialised by them, adjacent zero bytes.
#include <assert.h>
#include <string.h>

static char global[] = "abc";
static const char *names[] = {"one", "two", "three"};
static char fixed[5] = "xy", exact[3] = "xyz";
static struct {
  char text[4];
  const char *more;
} both = {"hi", "there"};

static int length(const char *s) {
  const char *start = s;
  while (*s)
    s++;
  return s - start;
}

int main(void) {
  assert(sizeof "abc" == 4 && sizeof global == 4 && sizeof "a\0b" == 4 && sizeof "" == 1);
  assert("abc"[1] == 'b' && *"x" == 'x' && "abc"[3] == 0 && 1["ab"] == 'b');
  assert(sizeof("ab" "cd") == 5 && ("ab"
                                    "cd")[2] == 'c');
  assert("\x41\102\n\t\\\"\0z"[1] == 'B' && "\1234"[1] == '4' && "\xff"[0] == -1);
  global[0] = 'z';
  assert(global[0] == 'z' && global[2] == 'c');
  assert(length(names[2]) == 5 && names[1][2] == 'o' && sizeof names / sizeof names[0] == 3);
  assert(fixed[1] == 'y' && fixed[2] == 0 && fixed[4] == 0 && exact[2] == 'z');
  assert(both.text[1] == 'i' && both.text[2] == 0 && both.text[3] == 0 && both.more[4] == 'e');
  char local[] = "local", *p = local;
  *p++ = 'L';
  assert(strcmp(local, "Local") == 0 && strlen(p) == 4);
  char braces[] = {"br"};
  assert(sizeof braces == 3);
  char rows[2][4] = {"ab", "cde"};
  assert(rows[0][3] == 0 && rows[1][2] == 'e' && rows[1][3] == 0);
  assert(strlen("a\0b") == 1 && length("") == 0);
  assert(__func__[0] == 'm' && sizeof __func__ == 5);
  return 0;
}
