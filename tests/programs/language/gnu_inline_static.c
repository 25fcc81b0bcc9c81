// expect: true args: --property unreach-call
// What is static, or is no definition for inlining alone, is the program's own.
#include <assert.h>

int abs(int x);
static long labs(long x);
static __inline __attribute__((gnu_inline)) long labs(long x) {
  extern int other;
  return x + other;
}
int other = 1;
__inline __attribute__((gnu_inline)) int abs(int x) { return x + 2; }

int main(void) {
  assert(labs(-3) == -2 && abs(-3) == -1);
  return 0;
}
