// expect: true
// The operand of sizeof is evaluated if its type is a variable-length array, and only then.
#include <assert.h>

int main(void) {
  int calls = 0, n = 2;
  int rows[3][n];
  int(*p)[n] = rows;
  assert(sizeof(*(calls++, p)) == 2 * sizeof(int) && calls == 1);
  assert(sizeof(calls++, p) == sizeof(int *) && calls == 1);
  assert(sizeof(rows[calls++]) == 2 * sizeof(int) && calls == 2);
  assert(sizeof(rows[0][calls++]) == sizeof(int) && calls == 2);
  assert(sizeof(int[++n]) == 3 * sizeof(int) && n == 3);
  char text[9] = "";
  assert(sizeof(0, text) == sizeof(char *) && sizeof(0, *p) == sizeof(int *));
  struct { char bytes[9]; } s;
  assert(sizeof(0, s) == 9 && sizeof text == 9 && sizeof(0, text[0]) == 1);
  return 0;
}
