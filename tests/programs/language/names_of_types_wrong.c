// expect: false(unreach-call)
// In its own initialiser the name is that of the variable.
#include <assert.h>

typedef char T;

int main(void) {
  int T = sizeof(T);
  assert(T == 1);
  return 0;
}
