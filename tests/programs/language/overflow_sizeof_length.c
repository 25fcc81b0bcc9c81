// expect: false(no-overflow) args: --property no-overflow
int main(int argc, char **argv) {
  int n = 100000;
  (void)sizeof(int[n * n]);
  return 0;
}
