// expect: false(unreach-call)
// What follows a default in the middle runs after it, and without break the next case too.
#include <assert.h>

static int f(int x) {
  int r = 0;
  switch (x) {
  case 1: r += 1;
  default: r += 10;
  case 2: r += 100;
  }
  return r;
}

int main(void) {
  assert(f(2) == 100 && f(1) == 111);
  assert(f(3) == 10);
  return 0;
}
