// expect: false(unreach-call)
// An argument that is a struct is a copy, with the array in it.
#include <assert.h>

struct s { int n[2]; };

static int change(struct s s) { return s.n[1] = 7; }

int main(void) {
  struct s s = {{1, 2}}, t = s;
  change(s);
  t.n[0] = 9;
  assert(s.n[0] == 1);
  assert(s.n[1] == 7);
  return 0;
}
