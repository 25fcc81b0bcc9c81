// expect: false(valid-deref) args: --property valid-deref
int main(void) {
  int n = 3;
  int rows[2][n];
  int i = 2;
  rows[i][0] = 7;
  return 0;
}
