// expect: true args: --property valid-deref
int a[3];
int main(void) {
  int *p = a + 2;
  return p[-1];
}
