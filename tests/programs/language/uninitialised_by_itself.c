// expect: false(unreach-call)
// The inner x is initialised with itself, so it is arbitrary; the outer one is another variable.
#include <assert.h>

int main(void) {
  int x = 3;
  {
    int x = x & 1;
    assert(x == 1);
  }
  return x - 3;
}
