// expect: true
// What an int cannot hold is undefined, also in a literal; glibc stores the end of a long.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int x = 0;
  assert(sscanf("2147483648", "%d", &x) == 1 && x == -2147483647 - 1);
  assert(sscanf("99999999999999999999", "%d", &x) == 1 && x == -1);
  assert(atoi("4294967297") == 1);
  return 0;
}
