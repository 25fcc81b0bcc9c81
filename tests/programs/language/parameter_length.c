// expect: true args: --property no-overflow
// Lengths that are no overflow, on entry; what a prototype says is not evaluated.
static int last(int n, int a[n * n]);
static int last(int n, int a[n * n]) {
  n = 100000;
  return a[0];
}
int main(void) {
  int a[4] = {0};
  int (*call)(int n, int a[n * n]) = last;
  return last(2, a) + call(2, a);
}
