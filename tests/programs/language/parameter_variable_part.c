// expect: true
// The length of the part is that of each call.
#include <assert.h>

static int length = 2;
static int last(int a[][length]) { return a[1][length - 1]; }

int main(void) {
  int a[2][2] = {{1, 2}, {3, 4}}, b[2][3] = {{1, 2, 3}, {4, 5, 6}};
  assert(last(a) == 4);
  length = 3;
  assert(last(b) == 6);
  return 0;
}
