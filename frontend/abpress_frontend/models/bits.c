/* Builtins of GNU C that count, find and turn round bits. Undefined: leading and trailing zeros of 0. */
#include <abpress.h>

int __builtin_popcountll(unsigned long long bits) {
  int count = 0;
  while (bits != 0) {
    bits = bits & (bits - 1);
    count++;
  }
  return count;
}
int __builtin_popcountl(unsigned long bits) { return __builtin_popcountll(bits); }
int __builtin_popcount(unsigned int bits) { return __builtin_popcountll(bits); }

int __builtin_parityll(unsigned long long bits) { return __builtin_popcountll(bits) & 1; }
int __builtin_parityl(unsigned long bits) { return __builtin_popcountll(bits) & 1; }
int __builtin_parity(unsigned int bits) { return __builtin_popcountll(bits) & 1; }

/* The place of the lowest set bit, from 0 on. */
static int __abp_lowest(unsigned long long bits) {
  int place = 0;
  while ((bits & 1) == 0) {
    bits = bits >> 1;
    place++;
  }
  return place;
}

int __builtin_ctzll(unsigned long long bits) {
  if (bits == 0)
    __abp_fault("trailing zeros of 0");
  return __abp_lowest(bits);
}
int __builtin_ctzl(unsigned long bits) { return __builtin_ctzll(bits); }
int __builtin_ctz(unsigned int bits) { return __builtin_ctzll(bits); }

int __builtin_ffsll(long long bits) { return bits == 0 ? 0 : __abp_lowest(bits) + 1; }
int __builtin_ffsl(long bits) { return __builtin_ffsll(bits); }
int __builtin_ffs(int bits) { return __builtin_ffsll(bits); }

/* Zeros above the highest set bit of a number of `width` bits. */
static int __abp_leading(unsigned long long bits, int width) {
  while (bits != 0) {
    bits = bits >> 1;
    width--;
  }
  return width;
}

int __builtin_clzll(unsigned long long bits) {
  if (bits == 0)
    __abp_fault("leading zeros of 0");
  return __abp_leading(bits, 64);
}
int __builtin_clzl(unsigned long bits) {
  if (bits == 0)
    __abp_fault("leading zeros of 0");
  return __abp_leading(bits, 8 * sizeof bits);
}
int __builtin_clz(unsigned int bits) {
  if (bits == 0)
    __abp_fault("leading zeros of 0");
  return __abp_leading(bits, 32);
}

/* Bits below the sign that equal it. */
int __builtin_clrsbll(long long bits) { return __abp_leading(bits < 0 ? ~bits : bits, 64) - 1; }
int __builtin_clrsbl(long bits) { return __abp_leading(bits < 0 ? ~bits : bits, 8 * sizeof bits) - 1; }
int __builtin_clrsb(int bits) { return __abp_leading(bits < 0 ? ~bits : bits, 32) - 1; }

unsigned short __builtin_bswap16(unsigned short bytes) { return bytes << 8 | bytes >> 8; }
unsigned int __builtin_bswap32(unsigned int bytes) {
  return bytes << 24 | (bytes & 0xff00u) << 8 | (bytes >> 8 & 0xff00u) | bytes >> 24;
}
unsigned long long __builtin_bswap64(unsigned long long bytes) {
  unsigned long long high = __builtin_bswap32(bytes);
  return high << 32 | __builtin_bswap32(bytes >> 32);
}
