// expect: true
// `INT_MIN % -1` is as undefined as the division (C11 6.5.5p6): by default the execution ends there.
#include <assert.h>
#include <limits.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int n = INT_MIN, by = __VERIFIER_nondet_bool() ? -1 : 7;
  int rest = n % by;
  assert(by == 7 && rest == -2);
  return 0;
}
