// expect: true
/* Instructions that order or delay at most, several in one template; a pragma of a merger. */
#pragma merger("0", "/tmp/other.i", "-g,-O2")
#include <assert.h>
int main(void) {
  int n = 1;
  __asm__ volatile("nop; nop;\n\tpause" : : : "memory");
  __asm__ volatile("rep; nop; mfence");
  assert(n == 1);
  return 0;
}
