// expect: true args: --property valid-deref
struct s { int a, b; };
int main(void) {
  struct s *p = 0;
  return (&p->a == 0) - 1;
}
