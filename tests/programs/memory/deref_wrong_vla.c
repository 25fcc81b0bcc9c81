// expect: false(valid-deref) args: --property valid-deref
int n = 2;
int main(void) {
  int a[n];
  a[0]=a[1]=0;
  return a[n];
}
