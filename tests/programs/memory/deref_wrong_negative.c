// expect: false(valid-deref) args: --property valid-deref
int a[3];
int main(void) {
  int i = -1;
  return a[i];
}
