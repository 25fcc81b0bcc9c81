// expect: true args: --property unreach-call --property valid-memsafety
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *out = stderr ? stderr : stdout;
  assert(stdin && stdout && stderr && out == stderr);
  fputs("a", out);
  return 0;
}
