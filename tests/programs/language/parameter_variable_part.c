// expect: unsupported "points to variable arrays"
// The length of the part would be that of each call.
int length = 2;
static int last(int a[][length]) { return a[0][length - 1]; }
int main(void) {
  int a[2][2] = {0};
  return last(a);
}
