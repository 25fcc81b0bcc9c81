// expect: true
// A star begins the length of an array; `member: value` is an old designator of GNU C.
#include <assert.h>

struct inner {
  int z;
};
struct outer {
  int x, y;
  struct inner in;
};
static struct outer all = {y : 3, x : 1, in : {z : 7}};

static int first(int n, int a[*]);
static int first(int n, int a[n]) { return a[0] + n; }

int main(void) {
  int n = 3, *p = &n;
  char a[*p], b[*&n][2];
  struct outer local = {x : 2, in : {*p}};
  assert(sizeof a == 3 && sizeof b == 6 && first(2, &n) == 5);
  assert(all.x == 1 && all.y == 3 && all.in.z == 7);
  assert(local.x == 2 && local.y == 0 && local.in.z == 3);
  return 0;
}
