// expect: true
// Functions: parameters are copies, conversions of arguments and results, recursion, prototypes.
#include <assert.h>

static int change(int x) {
  x += 1;
  return x * 2;
}
static unsigned char wrap(int x) { return x; }
static long long widen(long long x) { return x; }
static void nothing(int *p) {
  if (*p > 3)
    return;
  *p = 3;
}
static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int first(int array[], int n) { return array[0] + n; }
static int corner(int matrix[][3]) { return matrix[1][2]; }
static int depth(int n) {
  int local = n;
  if (n > 0)
    assert(depth(n - 1) == n - 1);
  return local;
}
static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
static int many(char a, unsigned char b, short c, int d, long long e) { return a + b + c + d + (int)e; }
int (*chooser(int which))(int);
int (*chooser(int which))(int) { return which ? change : factorial; }
static inline __attribute__((always_inline)) int attributes(int x) { return x; }
static int unused_parameter(int, int y) { return y; }

int main(void) {
  int x = 5;
  assert(change(x) == 12 && x == 5);
  assert(change(change(1)) == 10);
  assert(wrap(257) == 1 && wrap(-1) == 255);
  assert(widen(-1) == -1 && widen(4294967295u) == 4294967295LL);
  x = 2;
  nothing(&x);
  assert(x == 3);
  x = 9;
  nothing(&x);
  assert(x == 9);
  assert(even(4) && !even(5) && odd(5));
  assert(factorial(6) == 720 && fibonacci(6) == 8 && depth(5) == 5);
  int array[2] = {4, 5}, matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
  assert(first(array, 2) == 6 && first(array + 1, 0) == 5 && corner(matrix) == 6);
  int a = 1, b = 2;
  swap(&a, &b);
  assert(a == 2 && b == 1);
  swap(&a, &a);
  assert(a == 2);
  assert(many(-1, 255, -2, 1000, 1LL << 32) == 1252);
  assert(many(255, 256, 65536, 0, -1) == -2);
  assert(chooser(1)(3) == 8 && chooser(0)(3) == 6 && (*chooser(1))(3) == 8);
  assert(attributes(3) == 3 && unused_parameter(1, 2) == 2);
  return 0;
}
