// expect: true
// An empty template keeps the values that it is said to read and write.
#include <assert.h>

int g = 4;

int main(void) {
  int x = 3;
  __asm__ volatile("" : "+r"(x));
  __asm__("" : "+m"(g) : "r"(x) : "memory");
  assert(x == 3 && g == 4);
  return 0;
}
