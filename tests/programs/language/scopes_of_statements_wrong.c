// expect: false(unreach-call)
// The third expression of `for` stands before the body.
#include <assert.h>

enum { E = 10 };

int main(void) {
  int i, s = 0;
  for (i = 0; i < 1; i += sizeof(enum { E = 20 })) s = E;
  assert(s == 10);
  return 0;
}
