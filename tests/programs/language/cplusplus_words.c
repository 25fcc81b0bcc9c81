// expect: true
// Words of C++ that are names of C.
#include <assert.h>

[[gnu::unused]] static int both(int a, int b) { return a & b; }
static struct pair {
  int a[sizeof((int[]){1, 2})];
  int (*template)(void);
} pair;
static int class, using = 3, new;
typedef int namespace;
static void operator(namespace x) {
  class = x;
  __asm__ volatile("" ::: "memory");
}
int main(void) {
  operator(2);
  assert(class + using == 5 + (new & (sizeof(int) & 1)));
  return 0;
}
