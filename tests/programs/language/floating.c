// expect: true args: --data-model LP64
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

struct sample {
  char name;
  float weight;
  double values[2];
};

static struct sample given = {'s', 0.5, {1, -2.25}};
static double sum;

static double mean(int count, ...) {
  va_list list;
  double total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    total += va_arg(list, double);
  va_end(list);
  return total / count;
}

static float doubled(float x) { return 2 * x; }

int main(void) {
  struct sample copy = given;
  unsigned long long bits;
  double nan = sum / sum, infinite = 1 / sum, x = 7;
  float third = 1.0f / 3;
  union {
    float number;
    unsigned pattern;
  } one = {1};
  assert(copy.values[0] + copy.values[1] * copy.weight == -0.125);
  assert(0.1 + 0.2 != 0.3 && 0.1f + 0.2f == 0.3f);
  assert(third != 1.0 / 3 && (float)(1.0 / 3) == third);
  assert(nan != nan && !(nan < 1) && !(nan >= 1) && nan && !!nan == 1);
  assert(infinite > DBL_MAX && -infinite < -DBL_MAX && infinite == INFINITY);
  assert(-0.0 == 0.0 && 1 / -0.0 < 0 && !-0.0);
  assert((int)2.9 == 2 && (int)-2.9 == -2 && (unsigned char)255.9 == 255 && (_Bool)0.1 == 1);
  assert(16777217 == (float)16777217 && 16777217.0 != (float)16777217);
  assert((double)9007199254740993ll == 9007199254740992.0);
  assert(0x1.8p1 == 3 && 1e-400 == 0 && 0x1p-1074 / 2 == 0 && DBL_MAX * 2 == HUGE_VAL);
  memcpy(&bits, &copy.values[1], sizeof bits);
  assert(bits == 0xc002000000000000ull && one.pattern == 0x3f800000);
  assert(mean(3, 1.0, 2.0f, doubled(1.5f)) == 2);
  assert(x++ == 7 && --x == 7 && (x /= 2) == 3.5 && (x > 3 ? 1 : x) == 1);
  x += 0.25f;
  assert(sizeof(x + third) == 8 && sizeof(third * 2) == 4 && x == 3.75);
  return 0;
}
