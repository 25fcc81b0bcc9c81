// expect: true
// Unions: the bytes of one member read as another, little endian.
#include <assert.h>
#include <string.h>

union word {
  unsigned u;
  int i;
  unsigned char bytes[4];
  struct {
    unsigned short low, high;
  } half;
};
struct tagged {
  int tag;
  union {
    char c;
    int i;
    long l;
    int *p;
  } as;
};

static int value(const struct tagged *t) {
  switch (t->tag) {
  case 0:
    return t->as.c;
  case 1:
    return t->as.i;
  default:
    return *t->as.p;
  }
}

int main(void) {
  union word w;
  w.u = 0x11223344;
  assert(w.bytes[0] == 0x44 && w.bytes[3] == 0x11 && w.half.low == 0x3344 && w.half.high == 0x1122);
  w.bytes[3] = 0xff;
  assert(w.i < 0 && w.u == 0xff223344u);
  w.half.low = 0xabcd;
  assert(w.u == 0xff22abcdu && w.bytes[1] == 0xab);
  int k = 2;
  w.bytes[k] = 0;
  assert(w.u == 0xff00abcdu);
  assert(sizeof(union word) == 4 && &w.u == (unsigned *)w.bytes);
  union word copy = w;
  copy.i = -1;
  assert(w.bytes[2] == 0 && copy.bytes[2] == 255);
  union word first = {5}, other = {.half = {1, 2}};
  assert(first.u == 5 && other.u == 0x20001);

  int n = 77;
  struct tagged t = {0, {'x'}};
  assert(value(&t) == 'x');
  t.tag = 1;
  t.as.i = -300;
  assert(value(&t) == -300);
  t.tag = 2;
  t.as.p = &n;
  assert(value(&t) == 77);
  t.as.l = -2;
  assert(t.as.i == -2 && t.as.c == -2);

  unsigned number = 0x01020304;
  unsigned char *view = (unsigned char *)&number;
  assert(view[0] == 4 && view[3] == 1);
  view[0]++;
  assert(number == 0x01020305);
  *(unsigned short *)(view + 2) = 0xffff;
  assert(number == 0xffff0305);
  unsigned long long wide;
  memcpy(&wide, (unsigned[2]){1, 2}, sizeof wide);
  assert(wide == 0x200000001ULL);
  return 0;
}
