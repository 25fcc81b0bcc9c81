/* Formatted text in memory (ISO C 7.21.6), character by character. Conversions of wide characters,
   %n, long doubles that no double equals, floating-point numbers from 2^63 or of more than 18 places
   (%f) or digits (the others), and for all but %f those that are nearer to 0 than 2^-67, are a bound of
   the tool. */
#include <abpress.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* There is always room left for the null character. */
static size_t __abp_put(char *text, size_t size, size_t at, char c) {
  if (at + 1 < size)
    text[at] = c;
  return at + 1;
}

static size_t __abp_pad(char *text, size_t size, size_t at, char c, int count) {
  for (; count > 0; count--)
    at = __abp_put(text, size, at, c);
  return at;
}

#define PLACES 18

/* The same number. */
static double __abp_as_double(long double value) {
  double same = (double)value;
  if (value == value && (long double)same != value)
    __abp_cut("a long double that no double equals, in a format");
  return same;
}

/* The digits behind the point of what is less than 1; whether 1 is to be carried to the number before
   it, which is odd or not: what lies in the middle goes to the even one (glibc). In units of 2^-120
   the fraction is exact, or so small that no digit of it is shown. */
static int __abp_places(double fraction, int count, int odd, char *digits) {
  unsigned __int128 whole = (unsigned __int128)1 << 120;
  unsigned __int128 half = whole >> 1;
  unsigned __int128 rest = (unsigned __int128)(fraction * 0x1p120);
  int k;
  for (k = 0; k < count; k++) {
    rest = rest * 10;
    digits[k] = (char)('0' + (int)(rest >> 120));
    rest = rest & (whole - 1);
  }
  if (count > 0)
    odd = (digits[count - 1] - '0') % 2;
  if (rest < half || (rest == half && !odd))
    return 0;
  for (k = count - 1; k >= 0; k--) {
    if (digits[k] != '9') {
      digits[k] = (char)(digits[k] + 1);
      return 0;
    }
    digits[k] = '0';
  }
  return 1;
}

/* The first digits of a number from 2^-67 to 2^63, or of 0, which are exact, and rounded as above; the
   power of ten of the first one. */
static int __abp_significant(double value, int count, char *digits) {
  unsigned long long number, unit = 1;
  unsigned __int128 whole = (unsigned __int128)1 << 120;
  unsigned __int128 half = whole >> 1, rest;
  int power = 0, k, up;
  number = (unsigned long long)value;
  rest = (unsigned __int128)((value - (double)number) * 0x1p120);
  if (number != 0) {
    for (; number / unit >= 10; unit = unit * 10)
      power++;
  } else if (rest != 0) {
    unit = 0;
    power = -1;
    for (; rest * 10 < whole; rest = rest * 10)
      power--;
  }
  for (k = 0; k < count; k++) {
    if (unit != 0) {
      digits[k] = (char)('0' + (int)(number / unit));
      number = number % unit;
      unit = unit / 10;
    } else {
      rest = rest * 10;
      digits[k] = (char)('0' + (int)(rest >> 120));
      rest = rest & (whole - 1);
    }
  }
  up = (digits[count - 1] - '0') % 2;
  if (unit == 0)
    up = rest > half || (rest == half && up);
  else
    up = number > unit * 5 || (number == unit * 5 && (rest != 0 || up));
  for (k = count - 1; up && k >= 0; k--) {
    up = digits[k] == '9';
    digits[k] = up ? '0' : (char)(digits[k] + 1);
  }
  if (up) {
    digits[0] = '1';
    power++;
  }
  return power;
}

static size_t __abp_exponent(char *shown, size_t at, char letter, int power, int least) {
  shown[at] = letter;
  shown[at + 1] = power < 0 ? '-' : '+';
  at = at + 2;
  power = power < 0 ? -power : power;
  if (least > 1 || power >= 10) {
    shown[at] = (char)('0' + power / 10);
    at++;
  }
  shown[at] = (char)('0' + power % 10);
  return at + 1;
}

#define SHOWN 40

/* What %e and %g show, without a sign; its length. */
static size_t __abp_decimal_shown(double value, char c, int precision, int other, char *shown) {
  char digits[PLACES];
  int general = c == 'g' || c == 'G', count, power, k;
  size_t at = 0;
  count = precision < 0 ? 6 : precision;
  if (!general)
    count++;
  else if (count == 0)
    count = 1;
  if (count > PLACES)
    __abp_cut("a floating-point number of many digits in a format");
  power = __abp_significant(value, count, digits);
  if (general && power < count && power >= -4) {
    for (k = power < 0 ? power : 0; k < count; k++) {
      if (k == power + 1)
        shown[at++] = '.';
      shown[at++] = k < 0 ? '0' : digits[k];
    }
    if (power == count - 1)
      shown[at++] = '.';
    power = 0;
    general = 2;
  } else {
    shown[at++] = digits[0];
    shown[at++] = '.';
    for (k = 1; k < count; k++)
      shown[at++] = digits[k];
  }
  if (general && !other)
    for (; shown[at - 1] == '0'; at--)
      ;
  if (!other && shown[at - 1] == '.')
    at--;
  if (general == 2)
    return at;
  return __abp_exponent(shown, at, c == 'e' || c == 'g' ? 'e' : 'E', power, 2);
}

/* The same of %a, behind 0x. */
static size_t __abp_hexadecimal_shown(double value, char c, int precision, int other, char *shown) {
  unsigned long long bits, half;
  int power = 0, k, digit;
  size_t at = 0;
  if (precision > PLACES)
    __abp_cut("a floating-point number of many digits in a format");
  for (; value >= 2; power++)
    value = value / 2;
  for (; value != 0 && value < 1; power--)
    value = value * 2;
  bits = (unsigned long long)(value * 0x1p52);
  if (precision >= 0 && precision < 13) {
    half = 1ull << (4 * (13 - precision) - 1);
    if ((bits & (2 * half - 1)) > half || ((bits & half) != 0 && (bits & (2 * half)) != 0))
      bits = bits + half;
    bits = bits & ~(2 * half - 1);
  }
  shown[at++] = (char)('0' + (int)(bits >> 52));
  bits = bits & ((1ull << 52) - 1);
  if (other || precision > 0 || (precision < 0 && bits != 0))
    shown[at++] = '.';
  for (k = 0; precision < 0 ? bits != 0 : k < precision; k++) {
    digit = (int)(bits >> 48);
    shown[at++] = (char)(digit < 10 ? '0' + digit : (c == 'A' ? 'A' : 'a') + (digit - 10));
    bits = (bits << 4) & ((1ull << 52) - 1);
  }
  return __abp_exponent(shown, at, c == 'A' ? 'P' : 'p', power, 1);
}

int vsnprintf(char *text, size_t size, const char *format, va_list list) {
  size_t at = 0, i = 0;
  while (format[i] != 0) {
    int left = 0, zero = 0, other = 0, width = 0, precision = -1, longs = 0, shorts = 0, longer = 0;
    char sign = 0, c;
    if (format[i] != '%') {
      at = __abp_put(text, size, at, format[i]);
      i++;
      continue;
    }
    i++;
    for (;; i++) {
      c = format[i];
      if (c == '-')
        left = 1;
      else if (c == '0')
        zero = 1;
      else if (c == '#')
        other = 1;
      else if (c == '+' || (c == ' ' && sign == 0))
        sign = c;
      else if (c != ' ')
        break;
    }
    if (format[i] == '*') {
      width = va_arg(list, int);
      i++;
      if (width < 0) {
        left = 1;
        width = -width;
      }
    }
    for (; format[i] >= '0' && format[i] <= '9'; i++)
      width = width * 10 + (format[i] - '0');
    if (format[i] == '.') {
      i++;
      precision = 0;
      if (format[i] == '*') {
        precision = va_arg(list, int);
        i++;
      }
      for (; format[i] >= '0' && format[i] <= '9'; i++)
        precision = precision * 10 + (format[i] - '0');
    }
    for (; format[i] == 'h'; i++)
      shorts++;
    for (; format[i] == 'l' || format[i] == 'z' || format[i] == 't'; i++)
      longs++;
    if (format[i] == 'j') {
      longs = 2;
      i++;
    }
    if (format[i] == 'L') {
      longer = 1;
      i++;
    }
    c = format[i];
    i++;
    if (c == '%') {
      at = __abp_put(text, size, at, '%');
    } else if (c == 'c' && longs == 0) {
      char value = (char)va_arg(list, int);
      if (!left)
        at = __abp_pad(text, size, at, ' ', width - 1);
      at = __abp_put(text, size, at, value);
      if (left)
        at = __abp_pad(text, size, at, ' ', width - 1);
    } else if (c == 's' && longs == 0) {
      const char *value = va_arg(list, const char *);
      int length = 0, k;
      while ((precision < 0 || length < precision) && value[length] != 0)
        length++;
      if (!left)
        at = __abp_pad(text, size, at, ' ', width - length);
      for (k = 0; k < length; k++)
        at = __abp_put(text, size, at, value[k]);
      if (left)
        at = __abp_pad(text, size, at, ' ', width - length);
    } else if (c == 'd' || c == 'i' || c == 'u' || c == 'x' || c == 'X' || c == 'o') {
      unsigned long long value;
      unsigned int base = c == 'o' ? 8 : c == 'x' || c == 'X' ? 16 : 10;
      char digits[24];
      int count = 0, zeros, spaces;
      if (c == 'd' || c == 'i') {
        long long given = longs == 0   ? va_arg(list, int)
                          : longs == 1 ? va_arg(list, long)
                                       : va_arg(list, long long);
        if (shorts == 1)
          given = (short)given;
        if (shorts == 2)
          given = (signed char)given;
        if (given < 0)
          sign = '-';
        value = given < 0 ? 0ull - (unsigned long long)given : (unsigned long long)given;
      } else {
        value = longs == 0   ? va_arg(list, unsigned int)
                : longs == 1 ? va_arg(list, unsigned long)
                             : va_arg(list, unsigned long long);
        if (shorts == 1)
          value = (unsigned short)value;
        if (shorts == 2)
          value = (unsigned char)value;
        sign = 0;
      }
      other = other && value != 0;
      for (; value != 0; value = value / base) {
        int digit = (int)(value % base);
        digits[count] = (char)(digit < 10 ? '0' + digit : (c == 'X' ? 'A' : 'a') + (digit - 10));
        count++;
      }
      zeros = (precision < 0 ? 1 : precision) - count;
      if (zeros < 0)
        zeros = 0;
      if (other && base == 8 && zeros == 0)
        zeros = 1;
      spaces = width - count - zeros - (sign != 0) - (other && base == 16 ? 2 : 0);
      if (spaces > 0 && zero && !left && precision < 0) {
        zeros = zeros + spaces;
        spaces = 0;
      }
      if (!left)
        at = __abp_pad(text, size, at, ' ', spaces);
      if (sign != 0)
        at = __abp_put(text, size, at, sign);
      if (other && base == 16) {
        at = __abp_put(text, size, at, '0');
        at = __abp_put(text, size, at, c);
      }
      at = __abp_pad(text, size, at, '0', zeros);
      while (count > 0) {
        count--;
        at = __abp_put(text, size, at, digits[count]);
      }
      if (left)
        at = __abp_pad(text, size, at, ' ', spaces);
    } else if (__abp_prints_reals && (c == 'f' || c == 'F') && shorts == 0) {
      double value = longer ? __abp_as_double(va_arg(list, long double)) : va_arg(list, double);
      const char *special = 0;
      char digits[24], places[PLACES];
      int count = 0, spaces;
      if (precision < 0)
        precision = 6;
      if (value < 0 || (value == 0 && 1 / value < 0)) {
        sign = '-';
        value = -value;
      }
      if (value != value)
        __abp_cut("a NaN in a format"); /* its sign is shown */
      if (value > 0x1.fffffffffffffp1023) {
        special = c == 'F' ? "INF" : "inf";
        count = 3;
        zero = other = 0;
        precision = 0;
      } else {
        unsigned long long number;
        if (value >= 0x1p63 || precision > PLACES)
          __abp_cut("a floating-point number in a format that is not supported");
        number = (unsigned long long)value;
        if (__abp_places(value - (double)number, precision, (int)(number % 2), places))
          number = number + 1;
        do {
          digits[count] = (char)('0' + (int)(number % 10));
          number = number / 10;
          count++;
        } while (number != 0);
      }
      other = precision > 0 || other;
      spaces = width - count - precision - (sign != 0) - other;
      if (!left && !zero)
        at = __abp_pad(text, size, at, ' ', spaces);
      if (sign != 0)
        at = __abp_put(text, size, at, sign);
      if (!left && zero)
        at = __abp_pad(text, size, at, '0', spaces);
      for (int k = 0; k < count; k++)
        at = __abp_put(text, size, at, special != 0 ? special[k] : digits[count - 1 - k]);
      if (other)
        at = __abp_put(text, size, at, '.');
      for (int k = 0; k < precision; k++)
        at = __abp_put(text, size, at, places[k]);
      if (left)
        at = __abp_pad(text, size, at, ' ', spaces);
    } else if (__abp_prints_exponents && shorts == 0 &&
               (c == 'e' || c == 'E' || c == 'g' || c == 'G' || c == 'a' || c == 'A')) {
      double value = longer ? __abp_as_double(va_arg(list, long double)) : va_arg(list, double);
      int hexadecimal = c == 'a' || c == 'A', upper = c < 'a', spaces;
      char shown[SHOWN];
      size_t count = 3, k;
      if (value < 0 || (value == 0 && 1 / value < 0)) {
        sign = '-';
        value = -value;
      }
      if (value != value)
        __abp_cut("a NaN in a format"); /* its sign is shown */
      if (longer && hexadecimal)
        __abp_cut("a long double in a hexadecimal format");
      if (value > 0x1.fffffffffffffp1023) {
        shown[0] = upper ? 'I' : 'i';
        shown[1] = upper ? 'N' : 'n';
        shown[2] = upper ? 'F' : 'f';
        zero = hexadecimal = 0;
      } else {
        if (value >= 0x1p63 || (value != 0 && value < 0x1p-67))
          __abp_cut("a floating-point number in a format that is not supported");
        count = hexadecimal ? __abp_hexadecimal_shown(value, c, precision, other, shown)
                            : __abp_decimal_shown(value, c, precision, other, shown);
      }
      spaces = width - (int)count - (sign != 0) - 2 * hexadecimal;
      if (!left && !zero)
        at = __abp_pad(text, size, at, ' ', spaces);
      if (sign != 0)
        at = __abp_put(text, size, at, sign);
      if (hexadecimal) {
        at = __abp_put(text, size, at, '0');
        at = __abp_put(text, size, at, upper ? 'X' : 'x');
      }
      if (!left && zero)
        at = __abp_pad(text, size, at, '0', spaces);
      for (k = 0; k < count; k++)
        at = __abp_put(text, size, at, shown[k]);
      if (left)
        at = __abp_pad(text, size, at, ' ', spaces);
    } else if (__abp_prints_addresses && c == 'p') {
      const char *shown = "nil"; /* or digits, of which abpress_frontend.assumed tells */
      int some = va_arg(list, void *) != 0;
      size_t count = 3, k;
      if (some) {
        shown = "111111111111";
        count = (size_t)__abp_nondet_between(1, 12);
      }
      if (!left)
        at = __abp_pad(text, size, at, ' ', width - (int)count - 2);
      at = __abp_put(text, size, at, some ? '0' : '(');
      if (some)
        at = __abp_put(text, size, at, 'x');
      for (k = 0; k < count; k++)
        at = __abp_put(text, size, at, shown[k]);
      if (!some)
        at = __abp_put(text, size, at, ')');
      if (left)
        at = __abp_pad(text, size, at, ' ', width - (int)count - 2);
    } else {
      __abp_cut("a conversion in a format that is not supported");
    }
  }
  if (size > 0)
    text[at < size ? at : size - 1] = 0;
  return (int)at;
}

int snprintf(char *text, size_t size, const char *format, ...) {
  va_list list;
  int length;
  va_start(list, format);
  length = vsnprintf(text, size, format, list);
  va_end(list);
  return length;
}

int vsprintf(char *text, const char *format, va_list list) {
  return vsnprintf(text, (size_t)-1, format, list);
}

int sprintf(char *text, const char *format, ...) {
  va_list list;
  int length;
  va_start(list, format);
  length = vsnprintf(text, (size_t)-1, format, list);
  va_end(list);
  return length;
}

int vasprintf(char **text, const char *format, va_list list) {
  int length = vsnprintf(0, 0, format, list);
  char *result = malloc((size_t)length + 1);
  if (result == 0)
    return -1;
  vsnprintf(result, (size_t)length + 1, format, list);
  *text = result;
  return length;
}

int asprintf(char **text, const char *format, ...) {
  va_list list;
  int length;
  va_start(list, format);
  length = vasprintf(text, format, list);
  va_end(list);
  return length;
}
