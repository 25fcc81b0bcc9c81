// expect: unknown "flushed to zero"
#include <xmmintrin.h>

int main(void) {
  _mm_setcsr(_mm_getcsr() | 0x8040);
  return 0;
}
