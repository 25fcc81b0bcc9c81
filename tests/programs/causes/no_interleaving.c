// expect: false(unreach-call) args: --property unreach-call
// cause: no interleaving
// An input is enough.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(n != 12);
  return 0;
}
