// expect: true args: --property valid-deref
struct s { int a[2]; int b; } s;
int main(void) {
  int *p = s.a;
  p[2] = 7;
  return s.b - 7;
}
