// expect: false(valid-deref) args: --property valid-deref
// The condition of an `if` is a full expression.
struct s {
  int a[2];
};
static struct s f(void) {
  struct s x = {{1, 2}};
  return x;
}
int main(void) {
  int *p = 0;
  if ((p = f().a) && p[1])
    return p[0];
  return 0;
}
