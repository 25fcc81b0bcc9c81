// expect: true
// The value of a range in an initialiser is computed once, that of a struct, too.
#include <assert.h>

struct pair {
  int a, b;
};
static int calls;
static struct pair next(void) {
  calls++;
  return (struct pair){calls, -calls};
}

int main(void) {
  struct pair pairs[4] = {[0 ... 2] = next()};
  assert(calls == 1 && pairs[2].a == 1 && pairs[2].b == -1 && pairs[3].a == 0);
  struct pair literals[2] = {[0 ... 1] = (struct pair){++calls, 5}};
  assert(calls == 2 && literals[0].a == 2 && literals[1].a == 2 && literals[1].b == 5);
  return 0;
}
