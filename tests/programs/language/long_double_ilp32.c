// expect: true args: --data-model ILP32
#include <assert.h>

struct pair {
  char c;
  long double x;
};

int main(void) {
  struct pair a[2] = {{'a', 0.1L}, {'b', 2}};
  assert(sizeof(long double) == 12 && sizeof a == 32 && _Alignof(long double) == 4);
  assert(a[0].x != 0.1 && a[1].x == 2 && a[1].c == 'b');
  return 0;
}
