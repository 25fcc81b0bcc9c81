// expect: true
// Builtins that count, find and turn round bits.
#include <assert.h>

int main(void) {
  unsigned long long big = 0x8000000000000100ull;
  assert(__builtin_popcount(0xff0fu) == 12 && __builtin_popcountll(big) == 2);
  assert(__builtin_parity(7) == 1 && __builtin_parityll(big) == 0);
  assert(__builtin_ctz(8) == 3 && __builtin_ctzll(big) == 8 && __builtin_ctzl(6) == 1);
  assert(__builtin_clz(1) == 31 && __builtin_clzll(big) == 0 && __builtin_clz(-1) == 0);
  assert(__builtin_clzl(1) == 8 * (int)sizeof(long) - 1);
  assert(__builtin_ffs(0) == 0 && __builtin_ffs(-2) == 2 && __builtin_ffsll(big) == 9);
  assert(__builtin_clrsb(0) == 31 && __builtin_clrsb(-1) == 31 && __builtin_clrsb(5) == 28);
  assert(__builtin_clrsbll(-5) == 60);
  assert(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(0x12345678u) == 0x78563412u);
  assert(__builtin_bswap64(0x0102030405060708ull) == 0x0807060504030201ull);
  assert(sizeof __builtin_bswap16(1) == 2 && sizeof __builtin_bswap64(1) == 8);
  return 0;
}
