// expect: true args: --property unreach-call,valid-deref
#include <assert.h>
#include <stdio.h>

int main(void) {
  char text[2];
  size_t got = fread(text, 2, 1, stdin);
  assert(got <= 1);
  assert(fread(text, 0, 2, stdin) == 0);
  return 0;
}
