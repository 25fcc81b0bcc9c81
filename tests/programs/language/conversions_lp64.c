// expect: true args: --data-model LP64
// Integer promotions and conversions where long and pointers have 64 bits.
#include <assert.h>

int main(void) {
  assert(sizeof(int) == 4 && sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(long long) == 8);

  /* long holds every unsigned: the sum is long */
  unsigned u = 1;
  long l = -2;
  assert(u + l < 0);
  assert(l < u);
  assert(-1 > 1u && -1L < 1u && -1L > 1ul);

  assert(sizeof(2147483648) == 8 && sizeof(0x80000000) == 4 && sizeof(0x100000000) == 8);
  assert(sizeof(4294967295u) == 4 && sizeof(4294967296u) == 8);

  /* long long and unsigned long: both become unsigned long long */
  long long ll = -1;
  unsigned long ul = 1;
  assert(ll > ul);
  unsigned long wide = u << 31;
  assert(wide == 2147483648UL);
  wide = (int)(u << 31);
  assert(wide == 0xffffffff80000000UL);
  int narrow = (int)0x123456789abcdef0L;
  assert(narrow == (int)0x9abcdef0);
  return 0;
}
