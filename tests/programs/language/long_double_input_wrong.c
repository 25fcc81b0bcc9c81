// expect: false(unreach-call)
#include <assert.h>

unsigned long __VERIFIER_nondet_ulong(void);

/* Beyond 2^64 two sums may be one number. */
int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong();
  long double x = n;
  if (n > 1 && x + 18446744073709551615.0L + 1 != x + 18446744073709551615.0L)
    return 0;
  assert(n <= 1);
  return 0;
}
