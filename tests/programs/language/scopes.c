// expect: true
// Names: inner scopes hide outer ones, name spaces of tags, members, labels; typedefs hidden.
#include <assert.h>

typedef int number;
static int x = 1;
struct x {
  int x;
};

static int parameter(int x) {
  {
    int x = 7;
    x++;
  }
  return x;
}
static int outer(void) {
  int x = 5;
  {
    extern int visible;
    x += visible;
  }
  return x;
}
int visible = 30;

int main(void) {
  struct x x_struct = {x};
  assert(x_struct.x == 1);
  int x = 2;
  {
    int x = 3;
    assert(x == 3);
    {
      extern int visible;
      x += visible;
    }
    assert(x == 33);
  }
  assert(x == 2);
  for (int x = 10; x < 11; x++) {
    int x = 20;
    assert(x == 20);
  }
  assert(x == 2 && parameter(9) == 9 && outer() == 35);
  {
    int number = 4;
    assert(number * 2 == 8);
  }
  number n = 5;
  assert(n == 5);
  struct x {
    char c;
  } inner = {'c'};
  assert(sizeof inner == 1);
x:
  x++;
  if (x < 4)
    goto x;
  assert(x == 4);
  int y = x, z = y + 1;
  assert(z == 5);
  return 0;
}
