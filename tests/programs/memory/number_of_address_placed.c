// expect: unknown "address of an object inspected"
/* Where an object lies is not known, be its address compared as a number. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  assert((unsigned long)p != 4096 || (unsigned long)p > 4096 || sizeof p < (unsigned long)p);
  return 0;
}
