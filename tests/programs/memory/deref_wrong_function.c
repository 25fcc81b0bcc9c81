// expect: false(valid-deref) args: --property valid-deref
int *f(void) {
  int x = 1;
  int *q = &x;
  return q;
}
int main(void) {
  int *p = f();
  return *p;
}
