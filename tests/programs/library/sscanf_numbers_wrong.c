// expect: false(unreach-call)
// Numbers of a text that is in memory are those that stand there.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[16];
  const char *format = "%d%*d%n";
  int a = 1, b = 2;
  unsigned u = 0;
  signed char small = 0;
  long l = 0;
  strcpy(text, " 12 -5x");
  assert(sscanf(text, "%d", &a) == 1 && a == 12);
  assert(sscanf(text, format, &a, &b) == 1 && a == 12 && b == 7);
  assert(sscanf(text, "%hhd%ld%x", &small, &l, &u) == 2 && small == 12 && l == -5 && u == 0);
  assert(sscanf(text, "%2d%d", &a, &b) == 2 && a == 12 && b == -5);
  assert(sscanf(text + 6, "%d", &a) == 0 && a == 12 && sscanf(text + 7, "%d", &a) == EOF);
  assert(sscanf("08 0x", "%i%i", &a, &b) == 2 && a == 0 && b == 8);
  assert(sscanf(" % -7", "%%%u", &u) == 1 && u == -7u);
  return 0;
}
