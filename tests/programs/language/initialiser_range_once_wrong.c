// expect: false(unreach-call)
// The value of a range in an initialiser is computed once, and is that of every part.
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
  struct pair pairs[3] = {[0 ... 2] = next()};
  assert(pairs[2].a == 3);
  return 0;
}
