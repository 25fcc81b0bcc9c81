// expect: true args: --malloc-may-fail
// All of them say so, also where the product of sizes is too large; what succeeds does not.
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern size_t __VERIFIER_nondet_size_t(void);

static void check(const void *p) {
  assert(errno == (p == NULL ? ENOMEM : 0));
  errno = 0;
}

int main(void) {
  size_t n = __VERIFIER_nondet_size_t();
  check(malloc(4));
  check(realloc(NULL, 4));
  check(strdup("a"));
  check(aligned_alloc(16, 16));
  if (n > SIZE_MAX / 8) {
    assert(calloc(n, 8) == NULL);
    check(NULL);
  }
  return 0;
}
