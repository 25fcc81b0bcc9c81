// expect: true args: --property unreach-call
// FD_SET of headers of glibc that look at descriptors (_FORTIFY_SOURCE).
#include <assert.h>

typedef struct {
  long bits[16];
} set;
extern long __fdelt_chk(long descriptor);
extern long __fdelt_warn(long descriptor);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  set one = {{0}};
  int descriptor = __VERIFIER_nondet_int();
  one.bits[__fdelt_chk(70)] |= 1l << 70 % 64;
  assert(one.bits[1] == 64 && __fdelt_warn(0) == 0);
  assert(__fdelt_chk(descriptor) < 16 && descriptor >= 0);
  return 0;
}
