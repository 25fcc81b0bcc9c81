// expect: true
// Operators with side effects, each evaluated once; precedence.
#include <assert.h>

static int calls;
static int array[4] = {10, 20, 30, 40};

static int *element(int i) {
  calls++;
  return &array[i];
}

int main(void) {
  int i = 1;
  assert(i++ == 1 && i == 2 && ++i == 3 && i-- == 3 && --i == 1);

  *element(1) += 5;
  assert(calls == 1 && array[1] == 25);
  (*element(1))++;
  assert(calls == 2 && array[1] == 26);
  assert((*element(2))-- == 30 && calls == 3 && array[2] == 29);
  *element(3) <<= 1;
  assert(calls == 4 && array[3] == 80);

  i = 0;
  array[i++] += 1;
  assert(i == 1 && array[0] == 11);
  int *p = array;
  *p++ = 1;
  assert(p == array + 1 && array[0] == 1);
  *++p = 2;
  assert(p == array + 2 && array[2] == 2);
  assert(*p-- == 2 && *p == 26);
  assert(++*p == 27 && array[1] == 27);
  assert((*p)++ == 27 && *p == 28);
  assert(p[-1] == 1 && 1[p] == 2 && -1[p] == -2);

  int a, b, c;
  a = b = c = 7;
  assert(a == 7 && b == 7 && c == 7);
  a += b -= c *= 2;
  assert(c == 14 && b == -7 && a == 0);
  a = 12;
  a %= 5;
  a |= 8;
  a ^= 3;
  a &= ~1;
  assert(a == 8);
  a /= -3;
  assert(a == -2);
  a >>= 1;
  assert(a == -1);

  assert(2 + 3 * 4 == 14 && (1 | 2 ^ 3 & 4) == 3 && (1 << 2 + 1) == 8 && (5 & 3 == 3) == 1);
  assert(10 - 4 - 3 == 3 && 100 / 10 / 5 == 2 && 7 - 2 % 3 * 2 == 3 && (1 < 2 == 1) && -1 + ~0 == -2);
  assert((a = 1, b = 2, a + b) == 3);
  assert(sizeof(i++) == 4 && i == 1);
  a = 5;
  a = a++ ? a + 1 : 0;
  assert(a == 7);
  return 0;
}
