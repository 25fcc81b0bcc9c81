// expect: true args: --property valid-deref
int main(void) {
  int x[2];
  return x[1] == 5;
}
