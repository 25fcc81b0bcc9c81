// expect: false(unreach-call)
// The last byte of a large object is set like the others, and the object beside it is not.
#include <assert.h>
#include <string.h>

struct big { int v[20][100]; unsigned f : 3, g : 5; short s; };
static struct big both[2];

int main(void) {
  int n = 1;
  memset(both, 1, n * sizeof(struct big));
  assert(both[1].v[0][0] == 0 && both[1].s == 0 && both[0].f == 1 && both[0].v[19][99] == 0x01010101);
  assert(both[0].s == 1);
  return 0;
}
