// expect: true
// Bit-fields: widths, signs, packing, side effects, promotion, neighbours left alone.
#include <assert.h>

struct bits {
  unsigned a : 3;
  int b : 4;
  unsigned c : 1, d : 8;
  unsigned : 0;
  unsigned e : 31;
  signed char f : 2;
};
struct wide {
  unsigned long long x : 40;
  unsigned long long y : 24;
};

static struct bits global = {.a = 5, .b = -8, .d = 200};

static int calls;
static struct bits *where(struct bits *s) {
  calls++;
  return s;
}

int main(void) {
  struct bits s = {7, -1, 1, 255, 0x7fffffff, -2};
  assert(s.a == 7 && s.b == -1 && s.c == 1 && s.d == 255 && s.e == 0x7fffffff && s.f == -2);
  s.a = 9;
  assert(s.a == 1 && s.b == -1 && s.c == 1);
  s.b = 8;
  assert(s.b == -8 && s.a == 1 && s.d == 255);
  assert((s.a = 15) == 7);
  assert((s.b = 9) == -7);
  assert(s.a++ == 7 && s.a == 0 && s.b == -7);
  assert(--s.a == 7);
  s.d += 2;
  assert(s.d == 1 && s.c == 1);
  s.d <<= 7;
  assert(s.d == 128);
  s.c = !s.c;
  assert(s.c == 0 && s.d == 128);
  where(&s)->d |= 3;
  assert(calls == 1 && s.d == 131);
  assert((s.a = s.b = -1) == 7 && s.b == -1);
  /* an unsigned field narrower than int promotes to int */
  s.a = 0;
  assert(s.a - 1 < 0 && s.e - s.e - 1 < 0 && ~s.a == -1);
  assert(sizeof(struct bits) == 12 && sizeof(struct { unsigned a : 20, b : 20; }) == 8);
  assert(global.a == 5 && global.b == -8 && global.c == 0 && global.d == 200 && global.e == 0);
  struct bits t = s;
  t.e = 1;
  assert(s.e == 0x7fffffff && t.d == 131);
  struct wide w = {1, 2};
  w.x = -1;
  assert(w.x == 0xffffffffffULL && w.y == 2);
  w.y = 0x1000001;
  assert(w.y == 1 && w.x == 0xffffffffffULL);
  union {
    unsigned word;
    struct {
      unsigned low : 4, mid : 8, high : 20;
    };
  } u = {0x12345678};
  assert(u.low == 8 && u.mid == 0x67 && u.high == 0x12345);
  u.mid = 0;
  assert(u.word == 0x12345008);
  return 0;
}
