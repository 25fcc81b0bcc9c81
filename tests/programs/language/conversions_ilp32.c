// expect: true args: --data-model ILP32
// Integer promotions and conversions where long and pointers have 32 bits.
#include <assert.h>

int main(void) {
  assert(sizeof(int) == 4 && sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8);
  assert(sizeof(1 ? (char)1 : (char)2) == 4);
  assert(sizeof((char)1 + (char)1) == 4 && sizeof(1L + 1LL) == 8);

  /* unsigned and long have the same width: the sum is unsigned long */
  unsigned u = 1;
  long l = -2;
  assert(u + l > 0);
  assert(l > u);
  assert((long long)-2 < u);
  assert(-1 > 1u && -1L > 1u && -1LL < 1u);

  /* the type of a constant depends on its value and its base */
  assert(sizeof(2147483647) == 4 && sizeof(2147483648) == 8);
  assert(sizeof(0x80000000) == 4 && 0x80000000 > 0 && -0x80000000 > 0);
  assert(-2147483648 < 0);

  long long wide = u << 31;
  assert(wide == 2147483648LL);
  wide = (int)(u << 31);
  assert(wide == -2147483648LL);
  unsigned long ul = -1;
  assert(ul == 4294967295u && (unsigned long long)ul + 1 == 4294967296ULL);
  return 0;
}
