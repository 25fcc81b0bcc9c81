// expect: unsupported "side effects in the length of a parameter"
// The length is evaluated when the function is entered.
static int last(int n, int array[n++]) { return n; }

int main(void) {
  int array[10];
  return last(10, array);
}
