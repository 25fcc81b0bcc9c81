// expect: false(unreach-call)
#include <assert.h>

int value;

int main(void) {
  int expected = 0;
  _Bool weak = 1;
  assert(__atomic_compare_exchange_n(&value, &expected, 1, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return 0;
}
