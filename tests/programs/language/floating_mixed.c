// expect: true args: --data-model LP64
// Numbers beside integers, in memory of all kinds, through pointers to functions.
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct point {
  float x, y;
};

static struct point moved(struct point p, double by) {
  p.x += by;
  p.y -= by;
  return p;
}

static double square(double x) { return x * x; }

static double halved(double x) { return x / 2; }

static double (*table[])(double) = {square, halved};
static _Thread_local float own = 0.5f;
static _Atomic float shared = 1;

static double old_style(a, b) float a;
double b;
{ return a - b; }

int main(void) {
  int i = 7, loops = 0;
  unsigned char c = 200;
  long long wide = 9007199254740993ll;
  float f;
  double d = 0.75, matrix[2][2] = {{1, 2}, {3}};
  struct point p = moved((struct point){1, 2}, 0.5);
  struct {
    unsigned bits : 3;
    double after;
  } field;
  union {
    double number;
    unsigned char bytes[8];
    unsigned halves[2];
  } u;
  unsigned char *byte = (unsigned char *)&d;
  double *heap = calloc(2, sizeof *heap);

  i += 0.5;
  assert(i == 7);
  i *= 1.5;
  assert(i == 10 && (i -= 0.1) == 9);
  c += 55.9;
  assert(c == 255);
  assert((unsigned)-0.5 == 0 && (char)-1.9 == -1 && (long long)-9223372036854775808.0 == LLONG_MIN);
  assert(INT_MAX == (float)INT_MAX && (double)INT_MAX == INT_MAX && (float)INT_MAX > (double)INT_MAX);
  f = wide;
  assert(f == 9007199254740992.0f && (float)0xffffffffu == 4294967296.0f);
  assert(p.x == 1.5f && p.y == 1.5f && table[0](1.5) == 2.25 && table[i == 9](1) == 0.5);
  assert(old_style(1.5f, 0.25) == 1.25);
  field.bits = 3.7;
  field.after = field.bits / 2.0;
  assert(field.bits == 3 && field.after == 1.5);
  assert(byte[7] == 0x3f && byte[6] == 0xe8 && byte[0] == 0);
  u.number = -2;
  assert(u.halves[1] == 0xc0000000u && u.bytes[7] == 0xc0);
  u.bytes[7] = 0x40;
  assert(u.number == 2);
  u.halves[1] = 0x3ff00000;
  assert(u.number == 1);
  assert(heap && heap[0] == 0 && heap[1] == -0.0);
  memcpy(heap, matrix[1], sizeof matrix[1]);
  assert(heap[0] == 3 && memcmp(heap, matrix[1], 16) == 0);
  free(heap);
  for (f = 1; f; f /= 2)
    loops++;
  assert(loops == 150);
  own += 1;
  shared -= own;
  assert(own == 1.5f && shared == -0.5f);
  switch ((int)(d * 4)) {
  case 3:
    d = i ? 1 : 2.5f;
    break;
  default:
    d = -1;
  }
  assert(d == 1 && sizeof(i ? 1 : 2.5f) == 4 && (d ? i : 0.5f) == 9.0f);
  assert(-d == -1 && +f == 0 && !f && (d && 0.1) && (f || 0.5f));
  return 0;
}
