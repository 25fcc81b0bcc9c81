// expect: true
// Old-style definitions, implicit int, calls before and without prototypes.
#include <assert.h>

int sum(a, b, c)
int a, c;
char b;
{
  return a + b + c;
}

static pick(array, i)
int array[];
{
  return array[i];
}

int later();

int main() {
  int a[3] = {1, 2, 3};
  assert(sum(1, 300, 3) == 1 + 44 + 3);
  assert(pick(a, 2) == 3);
  assert(later(5) == 6);
  return 0;
}

int later(x)
int x;
{
  return x + 1;
}
