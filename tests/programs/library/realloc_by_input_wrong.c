// expect: false(unreach-call) args: --engine abpress
// A vector that grows, as far as an input says, to three.
#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() % 4;
  int *items = NULL;
  for (unsigned k = 0; k < n; k++) {
    items = realloc(items, (k + 1) * sizeof *items);
    items[k] = k;
  }
  for (unsigned k = 0; k < n; k++)
    assert(items[k] != 2);
  free(items);
  return 0;
}
