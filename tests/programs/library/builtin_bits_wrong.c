// expect: false(unreach-call)
// Each bit counts.
#include <assert.h>

int main(void) {
  assert(__builtin_popcount(0xff0fu) != 12);
  return 0;
}
