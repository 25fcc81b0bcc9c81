// expect: unsupported "member of an _Atomic"
#include <stdatomic.h>

struct pair {
  int x, y;
};
static _Atomic struct pair pair;

int main(void) { return pair.x; }
