// expect: unknown "address of an object inspected" args: --data-model LP64
// The numbers of addresses are not modelled: no proof rests on them.
#include <assert.h>
#include <stdint.h>

int main(void) {
  int y = 40, a[3] = {1, 2, 3};
  uintptr_t number = (uintptr_t)&y;
  *(int *)number += 1;
  assert(y == 41);
  long middle = (long)&a[1];
  assert(*(int *)middle == 2 && (int *)middle - a == 1);
  assert((int *)(intptr_t)0 == 0);
  return 0;
}
