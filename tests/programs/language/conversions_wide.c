// expect: true
// 64 bits, division towards zero, remainders, logical and arithmetic shifts.
#include <assert.h>
#include <limits.h>
#include <stdint.h>

int main(void) {
  uint64_t big = UINT64_MAX;
  assert(big + 1 == 0 && big > 0 && big / 2 == INT64_MAX);
  int64_t least = INT64_MIN;
  assert(least < 0 && (uint64_t)least == 1ULL << 63);
  assert(least >> 63 == -1 && (uint64_t)least >> 63 == 1);

  assert(7 / 2 == 3 && -7 / 2 == -3 && 7 / -2 == -3 && -7 / -2 == 3);
  assert(7 % 2 == 1 && -7 % 2 == -1 && 7 % -2 == 1 && -7 % -2 == -1);
  int n = -7, d = 2;
  assert(n / d == -3 && n % d == -1 && n / d * d + n % d == n);
  unsigned u = -7;
  assert(u / 2 == 2147483644u && u % 2 == 1 && u / d == 2147483644u);
  assert(INT_MIN % 3 == -2 && INT_MAX % 10 == 7 && UINT_MAX % 10 == 5);

  uint32_t x = 0x80000000;
  assert(x >> 31 == 1 && (int32_t)x >> 31 == -1 && x << 1 == 0);
  assert((uint64_t)x << 1 == 0x100000000ULL);
  uint64_t product = x * x;
  assert(product == 0);
  product = (uint64_t)x * x;
  assert(product == 0x4000000000000000ULL);

  /* sign extension follows the source, not the target */
  int8_t i8 = -1;
  uint8_t u8 = 255;
  assert((uint64_t)i8 == UINT64_MAX && (uint64_t)u8 == 255 && (int64_t)u8 == 255);
  assert((uint32_t)(uint8_t)i8 == 255 && (uint16_t)i8 == 65535);
  assert((int64_t)(uint32_t)-1 == 4294967295LL);
  assert((uint64_t)(int32_t)0x80000000 == 0xffffffff80000000ULL);

  assert((5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6 && (-1 ^ 5) == ~5);
  assert((1 ? -1 : 1u) > 0);
  return 0;
}
