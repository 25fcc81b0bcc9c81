// expect: true
// Arithmetic that tells whether its exact result fits what it is stored into.
#include <assert.h>
#include <limits.h>

int main(void) {
  int i;
  unsigned char c;
  unsigned u;
  unsigned long long q;
  assert(__builtin_add_overflow(INT_MAX, 1, &i) && i == INT_MIN);
  assert(!__builtin_add_overflow(INT_MAX, -1, &i) && i == INT_MAX - 1);
  assert(__builtin_sub_overflow(1, 2u, &u) && u == UINT_MAX);
  assert(!__builtin_sub_overflow(1, 2u, &i) && i == -1);
  assert(__builtin_mul_overflow(16, 16, &c) && c == 0);
  assert(!__builtin_mul_overflow(15, 17, &c) && c == 255);
  assert(__builtin_mul_overflow(ULLONG_MAX, ULLONG_MAX, &q) && q == 1);
  assert(__builtin_add_overflow(-1, 0, &q) && q == ULLONG_MAX);
  assert(__builtin_sadd_overflow(INT_MIN, -1, &i) == 1 && i == INT_MAX);
  assert(__builtin_umul_overflow(65536u, 65536u, &u) && u == 0);
  assert(!__builtin_sadd_overflow(3000000000u, 1, &i) && i == -1294967295);
  assert(sizeof __builtin_add_overflow(1, 1, &i) == 1);
  return 0;
}
