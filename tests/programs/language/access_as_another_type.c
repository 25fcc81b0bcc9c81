// expect: true
// Compilers may take it that the pointers do not meet (C11 6.5p7): the verdict says so, see
// tests/frontend/test_aliasing.py.
#include <assert.h>

static int written(int *number, short *half) {
  *number = 1;
  *half = 2;
  return *number;
}

int main(void) {
  int number;
  short *half = (short *)&number;
  assert(written(&number, half) == 2);
  return 0;
}
