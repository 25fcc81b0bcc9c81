/* toy_raise: the greater of a cell and a value becomes its content, in one step. */
#include <abpress.h>

int toy_raise(int *cell, int value) {
  int before;
  __abp_atomic_begin();
  before = *cell;
  if (before < value)
    *cell = value;
  __abp_atomic_end();
  return before;
}
