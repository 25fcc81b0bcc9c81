// expect: false(valid-deref) args: --property valid-deref
struct s {
  int a[2];
};
static struct s x;
int main(void) {
  int *p;
  p = (0, x).a;
  return *p;
}
