// expect: false(unreach-call)
// Automatic variables hold arbitrary values, static ones zero.
#include <assert.h>

static _Bool zero;

int main(void) {
  _Bool any;
  assert(!zero);
  if (any)
    assert(0);
  return 0;
}
