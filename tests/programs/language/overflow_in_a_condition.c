// expect: false(no-overflow) "signed overflow" args: --property no-overflow
// The condition is no action, and all that the trace shows.
int main(void) {
  int i = 2147483647;
  if (i + 1 < 0)
    return 1;
  return 0;
}
