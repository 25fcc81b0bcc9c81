// expect: false(unreach-call)
// What an initialiser leaves out is zero; a designator goes on behind its place.
#include <assert.h>

int main(void) {
  int a[5] = {1, [3] = 2, 3};
  assert(a[0] == 1 && a[3] == 2 && a[4] == 3);
  assert(a[1] == 2);
  return 0;
}
