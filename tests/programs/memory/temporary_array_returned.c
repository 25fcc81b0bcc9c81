// expect: false(valid-deref) args: --property valid-deref
struct s {
  int a[2];
};
static struct s x;
static struct s f(void) { return x; }
static int *g(void) { return f().a; }
int main(void) { return *g(); }
