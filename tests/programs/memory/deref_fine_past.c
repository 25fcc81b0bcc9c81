// expect: true args: --property valid-deref
int a[3];
int main(void) {
  int *p = a + 3;
  return p == a;
}
