// expect: true
// Types smaller than int: promotion before, conversion after every operation.
#include <assert.h>

static unsigned char byte(int x) { return x; }
static signed char narrow(unsigned x) { return x; }
static short add(short a, short b) { return a + b; }

int main(void) {
  unsigned char c = 200;
  unsigned char d = 100;
  assert(c + d == 300);
  unsigned char sum = c + d;
  assert(sum == 44);
  assert((unsigned char)(c + d) == 44);
  assert(byte(300) == 44 && byte(-1) == 255);
  assert(narrow(255) == -1 && narrow(128) == -128);
  assert(add(32767, 1) == -32768);

  /* ~ and - promote */
  unsigned char zero = 0;
  assert(~zero == -1 && ~zero != 255);
  unsigned char flipped = ~zero;
  assert(flipped == 255);
  assert(-c == -200);
  assert(!c == 0 && !zero == 1 && sizeof(!c) == 4);

  /* shifts have the type of their promoted left operand */
  assert(c << 4 == 3200);
  assert(sizeof(c << 1LL) == 4 && sizeof(1LL << c) == 8);
  assert(c >> 3 == 25);
  signed char minus = -7;
  assert(minus >> 1 == -4);
  assert((unsigned char)minus >> 1 == 124);
  assert((unsigned)minus >> 28 == 15);

  /* assignment has the value and the type of its left operand */
  int i = (c = 511) + 1;
  assert(i == 256 && c == 255);
  assert((c += 2) == 1);
  assert(++c == 2 && c++ == 2 && c == 3);
  c = 255;
  assert(++c == 0);
  c = 0;
  assert(--c == 255);
  c = 0;
  assert(c-- == 0 && c == 255);
  signed char s = 127;
  s += 1;
  assert(s == -128);
  c = 16;
  c *= 17;
  assert(c == 16);
  c = 200;
  c >>= 1;
  assert(c == 100);
  c = 250;
  c /= -2;
  assert(c == 131);
  unsigned short us = 65535;
  assert(us + 1 == 65536);
  assert((us - us - 1) < 0);

  /* comparisons after promotion */
  assert(minus != (unsigned char)249);
  assert((unsigned char)minus == 249);
  assert((unsigned short)-1 > -1 && (unsigned)-1 == -1);

  /* char is signed, its constants are ints */
  char plain = '\xff';
  assert(plain == -1 && '\xff' == -1 && '\377' < 0);
  assert(sizeof 'a' == 4 && 'a' == 97 && '\0' == 0 && '\n' == 10 && '\'' == 39 && '"' == '\"');
  assert('\x41' == 'A' && '\101' == 'A');
  return 0;
}
