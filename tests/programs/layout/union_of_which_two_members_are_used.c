// expect: true
#include <assert.h>
#include <stddef.h>

union value {
  void *pointer;
  unsigned long number;
  unsigned char byte[8];
};
union other {
  long unnamed;
  int a, b;
};

static union value first = {&first};

int main(void) {
  union value v = {.number = 0x0102};
  assert(v.byte[0] == 2 && v.byte[1] == 1 && v.byte[7] == 0);
  union other o = {-1};
  assert(o.a == -1 && o.b == -1 && offsetof(union value, pointer) == 0);
  o.a = 5;
  assert(o.b == 5 && first.pointer == &first);
  return 0;
}
