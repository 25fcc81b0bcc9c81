// expect: true
// An atomic number is compared by its representation (C11 7.17.7.4): 0 is not -0.
#include <assert.h>
#include <stdatomic.h>

static _Atomic double shared;

int main(void) {
  double expected = -0.0;
  assert(expected == 0 && !atomic_compare_exchange_strong(&shared, &expected, 1.5));
  assert(atomic_compare_exchange_strong(&shared, &expected, 1.5) && shared == 1.5);
  shared += 1;
  assert(atomic_exchange(&shared, 4) == 2.5);
  return 0;
}
