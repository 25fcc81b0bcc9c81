/* Floating-point numbers of texts (ISO C 7.22.1.3): decimal ones whose digits are at most 2^53 (for
   float 2^24, long double 2^64), with a power of ten up to 22 (10, 27), where one operation rounds as the standard's
   recommended practice. Others, hexadecimal ones, infinities and NaNs are a bound of the tool. */
#include <abpress.h>
#include <stdlib.h>

static int __abp_digit_of(char c) { return c >= '0' && c <= '9' ? c - '0' : -1; }

static int __abp_is(char c, char lower) { return c == lower || c == lower - ('a' - 'A'); }

/* The digits, of which at most `limit` may be made, and the power of ten; where the number ends, 0
   where there is none. */
static size_t __abp_decimal(const char *text, unsigned long long limit, int most, int *negative,
                            unsigned long long *digits, int *power) {
  size_t i = 0, end = 0;
  int places = 0, exponent = 0, digit;
  unsigned long long value = 0;
  while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
    i++;
  if (text[i] == '+' || text[i] == '-') {
    *negative = text[i] == '-';
    i++;
  }
  if ((__abp_is(text[i], 'i') && __abp_is(text[i + 1], 'n') && __abp_is(text[i + 2], 'f')) ||
      (__abp_is(text[i], 'n') && __abp_is(text[i + 1], 'a') && __abp_is(text[i + 2], 'n')))
    __abp_cut("a text of an infinity or a NaN is read");
  if (text[i] == '0' && __abp_is(text[i + 1], 'x'))
    __abp_cut("a hexadecimal text of a floating-point number is read");
  for (;; i++) {
    digit = __abp_digit_of(text[i]);
    if (text[i] == '.' && places == 0) {
      places = 1;
    } else if (digit >= 0) {
      if (value > (limit - (unsigned long long)digit) / 10)
        __abp_cut("a text of a floating-point number of many digits is read");
      value = value * 10 + (unsigned long long)digit;
      end = i + 1;
      if (places > 0)
        places = places + 1;
    } else {
      break;
    }
  }
  if (end == 0)
    return 0;
  if (text[i - 1] == '.' && end == i - 1)
    end = i;
  if (__abp_is(text[i], 'e')) {
    size_t k = text[i + 1] == '+' || text[i + 1] == '-' ? i + 2 : i + 1;
    if (__abp_digit_of(text[k]) >= 0) {
      int minus = text[i + 1] == '-';
      for (; __abp_digit_of(text[k]) >= 0; k++)
        if (exponent < 1000)
          exponent = exponent * 10 + __abp_digit_of(text[k]);
      exponent = minus ? -exponent : exponent;
      end = k;
    }
  }
  *digits = value;
  *power = exponent - (places > 0 ? places - 1 : 0);
  if (value != 0 && (*power > most || *power < -most))
    __abp_cut("a text of a floating-point number with a large exponent is read");
  return end;
}

double strtod(const char *text, char **end) {
  int negative = 0, power = 0;
  unsigned long long digits = 0;
  double value, factor = 1;
  size_t read = __abp_decimal(text, 1ull << 53, 22, &negative, &digits, &power);
  if (end != 0)
    *end = (char *)(text + read);
  value = (double)digits;
  if (read != 0 && digits != 0) {
    for (int k = power < 0 ? -power : power; k > 0; k--)
      factor = factor * 10;
    value = power < 0 ? value / factor : value * factor;
  }
  return negative && read != 0 ? -value : value;
}

float strtof(const char *text, char **end) {
  int negative = 0, power = 0;
  unsigned long long digits = 0;
  float value, factor = 1;
  size_t read = __abp_decimal(text, 1ull << 24, 10, &negative, &digits, &power);
  if (end != 0)
    *end = (char *)(text + read);
  value = (float)digits;
  if (read != 0 && digits != 0) {
    for (int k = power < 0 ? -power : power; k > 0; k--)
      factor = factor * 10;
    value = power < 0 ? value / factor : value * factor;
  }
  return negative && read != 0 ? -value : value;
}

long double strtold(const char *text, char **end) {
  int negative = 0, power = 0;
  unsigned long long digits = 0;
  long double value, factor = 1;
  size_t read = __abp_decimal(text, ~0ull, 27, &negative, &digits, &power);
  if (end != 0)
    *end = (char *)(text + read);
  value = (long double)digits;
  if (read != 0 && digits != 0) {
    for (int k = power < 0 ? -power : power; k > 0; k--)
      factor = factor * 10;
    value = power < 0 ? value / factor : value * factor;
  }
  return negative && read != 0 ? -value : value;
}

/* Where strtod tells by errno that a number is out of range, atof is undefined; neither is read here. */
double atof(const char *text) { return strtod(text, 0); }
