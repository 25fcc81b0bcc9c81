// expect: false(valid-deref) args: --property valid-deref
// The value of `?:` is no object of the program, however long those live that it is chosen from.
struct s {
  int a[2];
};
static struct s x, y;
int main(int argc, char **argv) {
  int *p = (argc > 1 ? x : y).a;
  return p[1];
}
