// expect: false(valid-deref) args: --property valid-deref
// The pointer is used after the full expression that made the object.
struct s {
  int a[2];
};
static struct s f(void) {
  struct s x = {{1, 2}};
  return x;
}
int main(void) {
  int *p = f().a;
  return p[1];
}
