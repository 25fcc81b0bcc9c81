// expect: false(no-overflow) args: --property no-overflow
int main(int argc, char **argv) {
  int a[4] = {0}, n = 100000;
  (void)(int(*)[n * n])a;
  return 0;
}
