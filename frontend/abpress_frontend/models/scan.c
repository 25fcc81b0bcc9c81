/* Formatted input (ISO C 7.21.6.2), character by character; of streams, a format with numbers alone is
   read elsewhere (lower/builtins/output.py). What a stream gives is arbitrary, also what is
   read after a character that ended a conversion. Bounds of the tool: conversions of wide characters,
   %m, %n of other sizes than int, and widths of floating-point numbers. */
#include <abpress.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The character at a place of the text, or any of a stream; -1 at the end. */
static int __abp_character(int is_text, const char *text, size_t at) {
  if (!is_text)
    return (int)__abp_nondet_between(-1, 255);
  return text[at] == 0 ? -1 : (unsigned char)text[at];
}

static int __abp_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The value of a digit, or 99. */
static int __abp_digit(int c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c = c | ('a' - 'A');
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* Whether a set, up to its ], has a character. */
static int __abp_in_set(const char *set, size_t length, int c) {
  size_t i = 0;
  for (; i < length; i++) {
    if (i + 2 < length && set[i + 1] == '-') {
      if (c >= (unsigned char)set[i] && c <= (unsigned char)set[i + 2])
        return 1;
      i = i + 2;
    } else if (c == (unsigned char)set[i]) {
      return 1;
    }
  }
  return 0;
}

static int __abp_scan(int is_text, const char *text, const char *format, va_list list) {
  size_t at = 0, i = 0;
  int done = 0, c;
  if (is_text)
    __abp_read_text(text);
  c = __abp_character(is_text, text, 0);
#define ADVANCE (c = c < 0 ? c : __abp_character(is_text, text, ++at))
  while (format[i] != 0) {
    int hidden = 0, width = 0, longs = 0, shorts = 0, letter, read = 0;
    if (__abp_space(format[i])) {
      for (; __abp_space(c); ADVANCE)
        ;
      i++;
      continue;
    }
    if (format[i] != '%' || format[i + 1] == '%') {
      if (format[i] == '%') {
        i++;
        for (; __abp_space(c); ADVANCE)
          ;
      }
      if (c < 0)
        return done > 0 ? done : EOF;
      if (c != (unsigned char)format[i])
        return done;
      ADVANCE;
      i++;
      continue;
    }
    i++;
    if (format[i] == '*') {
      hidden = 1;
      i++;
    }
    for (; format[i] >= '0' && format[i] <= '9'; i++)
      width = width * 10 + (format[i] - '0');
    for (; format[i] == 'h'; i++)
      shorts++;
    for (; format[i] == 'l' || format[i] == 'z' || format[i] == 't'; i++)
      longs++;
    for (; format[i] == 'j'; i++)
      longs = 2;
    for (; format[i] == 'L'; i++)
      longs = 3;
    letter = format[i];
    i++;
    if (letter == 'm' || letter == 'C' || (letter == 'n' && longs + shorts + hidden + width != 0))
      __abp_cut("a conversion of scanf that is not supported");
    if (letter == 'n') {
      *va_arg(list, int *) = is_text ? (int)at : (int)__abp_nondet_between(0, INT_MAX);
      continue;
    }
    if (letter != 'c' && letter != '[')
      for (; __abp_space(c); ADVANCE)
        ;
    if (c < 0)
      return done > 0 ? done : EOF;
    if ((letter == 'c' || letter == 's' || letter == '[') && longs == 0) {
      char *target = hidden ? 0 : va_arg(list, char *);
      size_t set = i;
      int inverted = 0, fits;
      if (letter == '[') {
        if (format[i] == '^') {
          inverted = 1;
          i++;
        }
        set = i;
        if (format[i] == ']')
          i++;
        while (format[i] != 0 && format[i] != ']')
          i++;
        if (format[i] == 0)
          __abp_fault("a set of characters without its ]");
      }
      if (letter == 'c' && width == 0)
        width = 1;
      for (; c >= 0 && (width == 0 || read < width); read++) {
        fits = letter == 'c' || (letter == 's' && !__abp_space(c)) ||
               (letter == '[' && __abp_in_set(format + set, i - set, c) != inverted);
        if (!fits)
          break;
        if (!hidden)
          target[read] = (char)c;
        ADVANCE;
      }
      if (letter == 'c' && read < width)
        return done > 0 ? done : EOF;
      if (read == 0)
        return done;
      if (!hidden && letter != 'c')
        target[read] = 0;
      if (letter == '[')
        i++;
    } else if (letter == 'd' || letter == 'i' || letter == 'u' || letter == 'x' || letter == 'X' ||
               letter == 'o') {
      int base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : letter == 'i' ? 0 : 10;
      int negative = 0, digits = 0, is_signed = letter == 'd' || letter == 'i';
      unsigned long long value = 0, limit;
      limit = longs > 0 ? ULLONG_MAX : shorts == 0 ? UINT_MAX : shorts == 1 ? USHRT_MAX : UCHAR_MAX;
      if (sizeof(long) == 4 && longs == 1)
        limit = ULONG_MAX;
      if (c == '+' || c == '-') {
        negative = c == '-';
        read++;
        ADVANCE;
      }
      if ((base == 16 || base == 0) && c == '0' && (width == 0 || read < width)) {
        digits = 1;
        read++;
        ADVANCE;
        if ((c == 'x' || c == 'X') && (width == 0 || read < width)) {
          digits = 0;
          base = 16;
          read++;
          ADVANCE;
        } else if (base == 0) {
          base = 8;
        }
      }
      if (base == 0)
        base = 10;
      for (; __abp_digit(c) < base && (width == 0 || read < width); read++) {
        if (value > (limit - (unsigned)__abp_digit(c)) / (unsigned)base)
          __abp_fault("a scanned number is out of range");
        value = value * (unsigned)base + (unsigned)__abp_digit(c);
        digits = 1;
        ADVANCE;
      }
      if (!digits)
        return c < 0 && read == 0 ? (done > 0 ? done : EOF) : done;
      if (is_signed && value > limit / 2 + (unsigned)negative)
        __abp_fault("a scanned number is out of range");
      if (negative)
        value = 0 - value;
      if (hidden)
        ;
      else if (shorts >= 2 && is_signed)
        *va_arg(list, signed char *) = (signed char)value;
      else if (shorts >= 2)
        *va_arg(list, unsigned char *) = (unsigned char)value;
      else if (shorts == 1 && is_signed)
        *va_arg(list, short *) = (short)value;
      else if (shorts == 1)
        *va_arg(list, unsigned short *) = (unsigned short)value;
      else if (longs == 0 && is_signed)
        *va_arg(list, int *) = (int)value;
      else if (longs == 0)
        *va_arg(list, unsigned *) = (unsigned)value;
      else if (longs == 1 && is_signed)
        *va_arg(list, long *) = (long)value;
      else if (longs == 1)
        *va_arg(list, unsigned long *) = (unsigned long)value;
      else if (is_signed)
        *va_arg(list, long long *) = (long long)value;
      else
        *va_arg(list, unsigned long long *) = value;
    } else if (__abp_prints_reals || __abp_prints_exponents) {
      float single = 0;
      double wide = 0;
      long double widest = 0;
      int small = letter | ('a' - 'A');
      if ((small != 'a' && (small < 'e' || small > 'g')) || width + shorts != 0 || longs == 2)
        __abp_cut("a conversion of scanf that is not supported");
      if (!is_text) {
        float any_single;
        double any_wide;
        long double any_widest;
        single = any_single;
        wide = any_wide;
        widest = any_widest;
        c = (int)__abp_nondet_between(-1, 255);
      } else {
        char *end;
        if (longs == 0)
          single = strtof(text + at, &end);
        else if (longs == 1)
          wide = strtod(text + at, &end);
        else
          widest = strtold(text + at, &end);
        if (end == text + at)
          return done;
        at = (size_t)(end - text);
        c = __abp_character(is_text, text, at);
      }
      if (hidden)
        ;
      else if (longs == 0)
        *va_arg(list, float *) = single;
      else if (longs == 1)
        *va_arg(list, double *) = wide;
      else
        *va_arg(list, long double *) = widest;
    } else {
      __abp_cut("a conversion of scanf that is not supported");
    }
    if (!hidden)
      done++;
  }
  return done;
}

int vsscanf(const char *text, const char *format, va_list list) {
  return __abp_scan(1, text, format, list);
}

int vfscanf(FILE *file, const char *format, va_list list) {
  __abp_use_stream(file);
  return __abp_scan(0, 0, format, list);
}

int vscanf(const char *format, va_list list) { return __abp_scan(0, 0, format, list); }

int __abp_sscanf(const char *text, const char *format, ...) {
  va_list list;
  int result;
  va_start(list, format);
  result = __abp_scan(1, text, format, list);
  va_end(list);
  return result;
}

int __abp_fscanf(void *file, const char *format, ...) {
  va_list list;
  int result;
  __abp_use_stream(file);
  va_start(list, format);
  result = __abp_scan(0, 0, format, list);
  va_end(list);
  return result;
}

int __abp_stdin_scanf(const char *format, ...) {
  va_list list;
  int result;
  va_start(list, format);
  result = __abp_scan(0, 0, format, list);
  va_end(list);
  return result;
}
