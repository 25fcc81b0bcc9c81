// expect: true args: --property unreach-call
// FD_ZERO of older headers: inputs that outputs of another type take, and leave with something else.
#include <assert.h>

typedef struct {
  long bits[4];
} set;

int main(void) {
  set one = {{1, 2, 3, 4}};
  int first, second;
  long *end;
  __asm__ volatile("cld; rep; stosq"
                   : "=c"(first), "=D"(second)
                   : "a"(0), "0"(sizeof(set) / sizeof(long)), "1"(&one.bits[0])
                   : "memory");
  assert(one.bits[0] == 0 && one.bits[3] == 0 && first == 0);
  one.bits[3] = 7;
  __asm__ volatile("rep; stosq" : "=c"(first), "=D"(end) : "a"(5l), "0"(3), "1"(one.bits) : "memory");
  assert(one.bits[0] == 5 && one.bits[2] == 5 && one.bits[3] == 7 && end == one.bits + 3);
  return 0;
}
