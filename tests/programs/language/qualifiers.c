// expect: true
// const, volatile, register, restrict, inline, extern arrays, typedefs of arrays and functions.
#include <assert.h>

typedef int triple[3];
typedef int function(int);
typedef struct tag *handle;
struct tag {
  volatile int v;
  const int c;
};
extern int unknown_size[];
static function twice;
static int twice(int x) { return 2 * x; }
static int use(function f, triple t) { return f(t[1]); }
static void fill(int *restrict to, const int *restrict from, int n) {
  for (register int i = 0; i < n; i++)
    to[i] = from[i];
}
int unknown_size[2] = {8, 9};

int main(void) {
  triple t = {1, 2, 3}, two[2] = {{4, 5, 6}, {7}};
  assert(use(twice, t) == 4 && two[0][2] == 6 && two[1][1] == 0 && sizeof(triple) == 12);
  struct tag s = {1, 2};
  handle h = &s;
  h->v += h->c;
  assert(s.v == 3);
  const volatile int both = 4;
  int copy[3];
  fill(copy, t, 3);
  assert(copy[2] == 3 && both == 4 && unknown_size[1] == 9);
  int const *const *indirect = &(int const *){copy + 1};
  assert(**indirect == 2);
  function *p = twice;
  assert(p(4) == 8);
  return 0;
}
