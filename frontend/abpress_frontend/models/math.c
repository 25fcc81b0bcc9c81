/* Functions of <math.h> that are made of exact ones (ISO C 7.12). Of zeros with different signs fmax
   and fmin return the second, as glibc for x86-64. Results that no integer holds are a bound of the
   tool. */
#include <abpress.h>
#include <math.h>

double fmax(double x, double y) {
  if (x != x)
    return y;
  return y != y || x > y ? x : y;
}

double fmin(double x, double y) {
  if (x != x)
    return y;
  return y != y || x < y ? x : y;
}

double fdim(double x, double y) {
  if (x != x || y != y)
    return x + y;
  return x > y ? x - y : 0;
}

double modf(double x, double *whole) {
  double rest = isinf(x) ? 0 : x - trunc(x);
  *whole = trunc(x);
  return x != x ? x : copysign(rest, x);
}

long lround(double x) { return (long)round(x); }

long long llround(double x) { return (long long)round(x); }

long lrint(double x) { return (long)rint(x); }

long long llrint(double x) { return (long long)rint(x); }

float fmaxf(float x, float y) {
  if (x != x)
    return y;
  return y != y || x > y ? x : y;
}

float fminf(float x, float y) {
  if (x != x)
    return y;
  return y != y || x < y ? x : y;
}

float fdimf(float x, float y) {
  if (x != x || y != y)
    return x + y;
  return x > y ? x - y : 0;
}

long lroundf(float x) { return (long)roundf(x); }

long long llroundf(float x) { return (long long)roundf(x); }

long lrintf(float x) { return (long)rintf(x); }

long long llrintf(float x) { return (long long)rintf(x); }

long double fmaxl(long double x, long double y) {
  if (x != x)
    return y;
  return y != y || x > y ? x : y;
}

long double fminl(long double x, long double y) {
  if (x != x)
    return y;
  return y != y || x < y ? x : y;
}

long double fdiml(long double x, long double y) {
  if (x != x || y != y)
    return x + y;
  return x > y ? x - y : 0;
}

long double modfl(long double x, long double *whole) {
  long double rest = isinf(x) ? 0 : x - truncl(x);
  *whole = truncl(x);
  return x != x ? x : copysignl(rest, x);
}

long lroundl(long double x) { return (long)roundl(x); }

long long llroundl(long double x) { return (long long)roundl(x); }

long lrintl(long double x) { return (long)rintl(x); }

long long llrintl(long double x) { return (long long)rintl(x); }
