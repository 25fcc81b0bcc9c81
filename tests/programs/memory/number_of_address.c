// expect: true
/* Numbers of addresses are compared as the addresses are, and no number is beyond its type. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static int object;

int main(void) {
  char *p = malloc(4), *q = p;
  int *none = NULL;
  assert((unsigned long)p != (unsigned long)((void *)0));
  assert((uintptr_t)p == (uintptr_t)q && (uintptr_t)p != (uintptr_t)(q + 1));
  assert((unsigned long)&object != 0 && 0 != (long)main);
  assert((uintptr_t)none == 0 && !(uintptr_t)none);
  assert((unsigned long)p <= ~0ul && !((unsigned long)p > ~0ul));
  assert((uintptr_t)p >= 0 && ~0ul >= (uintptr_t)&object && !(0 > (uintptr_t)q));
  if ((uintptr_t)p)
    free(p);
  return 0;
}
