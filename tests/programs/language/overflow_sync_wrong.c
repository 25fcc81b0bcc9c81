// expect: false(no-overflow) args: --property no-overflow
// As with atomic_compare_exchange: the new value is computed.
int x;
int main(void) {
  int i = 2147483647;
  __sync_bool_compare_and_swap(&x, 1, i + 1);
  return 0;
}
