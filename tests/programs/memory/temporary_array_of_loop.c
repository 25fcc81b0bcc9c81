// expect: false(valid-deref) args: --property valid-deref
// Each turn of the loop has an object of its own.
struct s {
  int a[2];
};
static struct s x;
static struct s f(void) { return x; }
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; p = f().a, i++)
    if (i == 1)
      return *p;
  return 0;
}
