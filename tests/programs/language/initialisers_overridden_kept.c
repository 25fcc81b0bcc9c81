// expect: false(unreach-call)
// What an overridden initialiser put into the part is gone.
#include <assert.h>

struct point { int x, y; };
static struct point points[1] = {[0].y = 127, [0] = {.x = -7}};

int main(void) {
  assert(points[0].y == 127);
  return 0;
}
