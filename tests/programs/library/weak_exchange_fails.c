// expect: false(unreach-call)
#include <assert.h>
#include <stdatomic.h>

atomic_int value;

int main(void) {
  int expected = 0;
  assert(atomic_compare_exchange_weak(&value, &expected, 1));
  return 0;
}
