// expect: unsupported "variable arrays"
// A parameter whose elements have a size that another parameter gives.
static int corner(int n, int m, int a[n][m]) { return a[0][0]; }

int main(void) {
  int a[2][3];
  return corner(2, 3, a);
}
