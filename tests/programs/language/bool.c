// expect: true
// _Bool: every conversion to it compares with zero.
#include <assert.h>
#include <stdbool.h>

struct flags {
  bool a;
  _Bool b : 1;
};

static bool truth(int x) { return x; }

static int global;

int main(void) {
  bool b = 256;
  assert(b == 1);
  b = 0x100000000LL;
  assert(b == 1);
  b = &global;
  assert(b == 1);
  b = (int *)0;
  assert(b == 0);
  assert((bool)2 + (bool)4 == 2 && sizeof(b) == 1 && sizeof(b + b) == 4);
  b = true;
  b++;
  assert(b == 1);
  b--;
  assert(b == 0);
  b--;
  assert(b == 1);
  b += 255;
  assert(b == 1);
  b = 2;
  b <<= 1;
  assert(b == 1);
  b ^= 1;
  assert(b == 0);
  b = 5;
  assert(~b == -2);
  assert(truth(256) == 1 && truth(-1) == 1 && truth(0) == 0);
  struct flags f = {8, 2};
  assert(f.a == 1 && f.b == 1);
  f.b = 4;
  assert(f.b == 1);
  bool array[3] = {2, 0, -1};
  assert(array[0] + array[1] + array[2] == 2);
  int i = !b + !!7;
  assert(i == 1);
  return 0;
}
