// expect: true
// Function pointers: tables, callbacks, in structs, compared, through void *, chosen at run time.
#include <assert.h>
#include <stddef.h>

typedef int (*operation)(int, int);
struct class {
  const char *name;
  operation apply;
  int (*unary)(int);
};

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int negate(int a) { return -a; }
static operation table[] = {add, &sub, mul, NULL};
static struct class classes[2] = {{"a", add, negate}, {.name = "s", .apply = sub}};

static int fold(int *a, int n, operation op, int start) {
  for (int i = 0; i < n; i++)
    start = op(start, a[i]);
  return start;
}
static operation pick(char c) {
  switch (c) {
  case '+':
    return add;
  case '-':
    return sub;
  }
  return 0;
}
static void each(int *a, int n, void (*visit)(int *, void *), void *context) {
  while (n--)
    visit(a++, context);
}
static void sum_into(int *element, void *context) { *(int *)context += *element; }
static void increment(int *element, void *context) { ++*element; }
static int calls;
static operation counted(void) {
  calls++;
  return mul;
}
static int apply_twice(int (*f)(int), int x) { return f(f(x)); }
static int self(int n) {
  int (*again)(int) = self;
  return n == 0 ? 0 : 1 + again(n - 1);
}

int main(void) {
  int a[3] = {2, 3, 4};
  assert(fold(a, 3, add, 0) == 9 && fold(a, 3, mul, 1) == 24 && fold(a, 3, &sub, 0) == -9);
  int r = 0;
  for (int i = 0; table[i]; i++)
    r = r * 100 + table[i](7, 3);
  assert(r == 100421);
  for (int i = 1; i >= 0; i--)
    r = classes[i].apply(r, 3 - i);
  assert(r == 100422);
  assert(classes[0].unary(4) == -4 && !classes[1].unary);
  assert(pick('+')(1, 2) == 3 && (*pick('-'))(1, 2) == -1 && (**pick('-'))(5, 2) == 3 && pick('x') == 0);
  int total = 0;
  each(a, 3, sum_into, &total);
  each(a, 3, increment, 0);
  each(a, 3, sum_into, &total);
  assert(total == 21);
  assert(counted()(3, 4) == 12 && calls == 1);
  void *erased = (void *)add;
  assert(((operation)erased)(1, 1) == 2 && erased == (void *)add && table[0] == add && table[0] != sub);
  struct class copy = classes[0], *p = &copy;
  p->apply = mul;
  assert(p->apply(2, 5) == 10 && classes[0].apply(2, 5) == 7);
  assert(apply_twice(negate, 3) == 3 && self(3) == 3);
  operation chosen = a[0] > 2 ? add : mul;
  assert(chosen(1, 1) == 2);
  return 0;
}
