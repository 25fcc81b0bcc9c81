// expect: false(no-overflow) args: --property no-overflow
// The operand of an address that nobody uses is computed.
int a[2];
int main(void) {
  int i = 2147483647;
  &a[(i + 1) & 1];
  return 0;
}
