// expect: false(unreach-call)
// Arguments that no conversion of the format asks for are evaluated (C11 7.21.6.2p2).
#include <assert.h>
#include <stdio.h>

int main(void) {
  int x = 0, y;
  scanf("%d", &y, x++);
  assert(x == 0);
  return 0;
}
