// expect: true
// A character is the next one of the text; spaces are left out only where the format says so.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char c = 0, text[] = "7 y";
  int n = 0;
  assert(sscanf(" x", "%c", &c) == 1 && c == ' ');
  assert(sscanf(" x", " %c", &c) == 1 && c == 'x');
  assert(sscanf(text, "%d %c", &n, &c) == 2 && n == 7 && c == 'y');
  assert(sscanf("", "%c", &c) == EOF && c == 'y');
  return 0;
}
