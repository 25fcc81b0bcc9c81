// expect: false(no-overflow) args: --property no-overflow
// What is passed is computed although the function does not look at it.
static int first(int n, ...) { return n; }
int main(int argc, char **argv) {
  int n = 2147483647;
  return first(1, n + 1) - 1;
}
