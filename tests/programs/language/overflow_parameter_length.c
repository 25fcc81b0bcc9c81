// expect: false(no-overflow) args: --property no-overflow
// The length is evaluated on entry to the function (C11 6.9.1p10).
static int first(int n, int a[n * n]) { return a[0]; }
int main(void) {
  int a[4] = {0};
  return first(100000, a);
}
