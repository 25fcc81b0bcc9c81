// expect: unsupported "C++"
// Nothing needs the function, and nobody compiles it as C.
#include <assert.h>
static int f(int &r) { return r; }
int main(void) {
  assert(1);
  return 0;
}
