// expect: false(no-overflow) args: --property no-overflow
// The memory order is an argument as any other.
#include <stdatomic.h>
static _Atomic int x;
int main(void) {
  int n = 2147483647;
  atomic_store_explicit(&x, 1, n + 1 < 0 ? memory_order_relaxed : memory_order_seq_cst);
  return 0;
}
