// expect: false(unreach-call)
// What a known text gives is known.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int a = 5, b = 6;
  assert(sscanf(" 12, 0x1f", "%d ,%i", &a, &b) == 2);
  assert(a == 12 && b == 30);
  assert(sscanf("", "%d", &a) == EOF && sscanf("x", "%d", &a) == 0 && a == 12);
  assert(sscanf("7 z", "%d%d", &a, &b) == 1 && a == 7 && b == 31);
  return 0;
}
