// expect: false(unreach-call)
#include <assert.h>

int main(void) {
  int i = 0, c = 0;
  int r = (c ? i : 7) + i++;
  assert(r == 7 && i == 0);
  return 0;
}
