// expect: true
// A long double has 64 bits of precision and 15 of exponent (x87), in 16 bytes.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  char c;
  long double x;
};

static long double table[3] = {0.5L, 1 / 3.0L, -1e4000L};

int main(void) {
  union {
    long double x;
    unsigned char bytes[16];
  } u = {1.0L};
  struct pair a = {'a', 2.5L}, b = a;
  long double x = 0.1L;
  assert(sizeof x == 16 && sizeof a == 32 && b.x == 2.5L);
  assert(x != 0.1 && (double)x == 0.1 && (float)x == 0.1f);
  assert(1 + LDBL_EPSILON != 1 && 1 + LDBL_EPSILON / 2 == 1);
  assert(table[1] * 3 == 1 && table[2] < -DBL_MAX && isinf(table[2] * -table[2]));
  assert((long double)9223372036854775807 != (double)9223372036854775807);
  assert(sqrtl(2) * sqrtl(2) != 2 && floorl(-2.5L) == -3 && fmaxl(x, 2) == 2);
  assert(!isnormal(LDBL_MIN / 2) && LDBL_MIN / 2 > 0);
  assert(u.bytes[9] == 0x3f && u.bytes[8] == 0xff && u.bytes[7] == 0x80 && u.bytes[0] == 0);
  u.bytes[7] = 0; /* no number of the processor: NOTE(written-bit) */
  assert(u.x != u.x);
  return 0;
}
