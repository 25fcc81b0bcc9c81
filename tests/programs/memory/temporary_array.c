// expect: true args: --property valid-deref
// A temporary object lives until the full expression ends (C11 6.2.4p8).
struct inner {
  int b[2];
};
struct s {
  int a[2];
  struct inner in;
};
static struct s x = {{1, 2}, {{3, 4}}}, y;

static struct s f(void) { return x; }

static int sum(const int *p) { return p[0] + p[1]; }

static int second(void) { return f().in.b[1]; }

int main(void) {
  int *p, r = f().a[1] + sum(f().a);
  r += (p = f().in.b, p[0]) + (y = x).a[0] + (0, x).in.b[1];
  r += (r ? x : y).a[1];
  if ((p = f().a) && p[0])
    r++;
  while (sum(f().a) > r)
    r = 100;
  for (int i = f().a[0]; i < f().a[1]; i += f().a[0])
    r += second();
  switch (f().a[0]) {
  case 1:
    r++;
  }
  x.in = f().in;
  return r;
}
