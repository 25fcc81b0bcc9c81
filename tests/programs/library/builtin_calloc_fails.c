// expect: false(unreach-call) args: --malloc-may-fail
#include <assert.h>

int main(void) {
  int *p = __builtin_calloc(1, sizeof *p);
  assert(p);
  return 0;
}
