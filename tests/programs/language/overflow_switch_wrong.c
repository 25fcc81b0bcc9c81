// expect: false(no-overflow) args: --property no-overflow
// What a switch decides by is computed, also if it has no cases.
int main(void) {
  int i = 2147483647;
  switch (i + 1) {
  default:
    return 0;
  }
}
