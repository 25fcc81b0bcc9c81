// expect: true args: --data-model LP64
#include <assert.h>
#include <math.h>
#include <time.h>

int main(void) {
  double whole, zero = 0;
  assert(sqrt(2) * sqrt(2) != 2 && sqrt(2.25) == 1.5 && isnan(sqrt(-1.0)));
  assert(floor(-1.5) == -2 && ceil(-1.5) == -1 && trunc(-1.5) == -1 && round(-1.5) == -2);
  assert(rint(2.5) == 2 && nearbyint(3.5) == 4 && lround(2.5) == 3 && lrint(2.5) == 2);
  assert(fabs(-3.5) == 3.5 && fabsf(-0.0f) == 0 && copysign(3, -zero) == -3);
  assert(fmax(1, 2) == 2 && fmin(1, zero / zero) == 1 && fdim(3, 1) == 2 && fdim(1, 3) == 0);
  assert(modf(-3.25, &whole) == -0.25 && whole == -3);
  assert(isinf(1 / zero) == 1 && isinf(-1 / zero) == -1 && !isinf(1.0) && isfinite(1.0f));
  assert(signbit(-zero) && !signbit(1.0) && isnormal(1.0) && !isnormal(1e-310) && !isnormal(zero));
  assert(isgreater(2.0, 1.0f) && !isless(NAN, 1.0) && isunordered(1.0, NAN));
  assert(islessgreater(1.0, 2.0) && !islessgreater(1.0, NAN) && HUGE_VALF == INFINITY);
  assert(difftime(5, 7) == -2);
  return 0;
}
