// expect: false(valid-deref) args: --property valid-deref
struct s {
  struct {
    int a[2];
  } in;
};
static struct s x, y;
int main(void) {
  int *p;
  p = (x = y).in.a;
  return *p;
}
