// expect: unknown "memset of a part of an element"
#include <assert.h>
#include <string.h>

int size = 6;

int main(void) {
  int a[4] = {-1, -1, -1, -1};
  memset(a, 0, size);
  assert(a[1] == (int)0xffff0000);
  return 0;
}
