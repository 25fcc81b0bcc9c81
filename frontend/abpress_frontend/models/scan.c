/* Formatted input (ISO C 7.21.6.2), character by character; of streams, a format with numbers alone is
   read elsewhere (lower/builtins/scanning.py). What a stream gives is arbitrary, also what is
   read after a character that ended a conversion. Bounds of the tool: conversions of wide characters,
   %m, %n of other sizes than int, and widths of floating-point numbers. */
#include <abpress.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* What is left to read is a place of the text; of a stream the next character, -1 at its end. */
#define NO_INPUT (-2)
#define NO_MATCH (-3)

/* The next character, -1 at the end. */
static int __abp_next(int is_text, const char *text, long place) {
  if (!is_text)
    return (int)place;
  return text[place] == 0 ? -1 : (unsigned char)text[place];
}

/* What is left behind the next character, which is there. */
static long __abp_behind(int is_text, long place) {
  return is_text ? (long)((unsigned long)place + 1) : __abp_nondet_between(-1, 255);
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

/* Each directive yields what is left to read, or NO_INPUT or NO_MATCH. Spaces never fail. */
long __abp_scan_spaces(int is_text, const char *text, long place) {
  while (__abp_space(__abp_next(is_text, text, place)))
    place = __abp_behind(is_text, place);
  return place;
}

long __abp_scan_character(int is_text, const char *text, long place, int wanted) {
  int c = __abp_next(is_text, text, place);
  if (c < 0)
    return NO_INPUT;
  return c == wanted ? __abp_behind(is_text, place) : NO_MATCH;
}

/* %c, %s and %[, the set of which has `length` characters; at most `width`, if that is not 0. Less than
   `width` characters for %c are none (ISO C), or those that there are (glibc). */
long __abp_scan_characters(int is_text, const char *text, long place, int letter, const char *set,
                           size_t length, int inverted, unsigned width, char *target) {
  int c = __abp_next(is_text, text, place);
  unsigned read = 0;
  if (c < 0)
    return NO_INPUT;
  for (; c >= 0 && (width == 0 || read < width); read++) {
    if (letter == 's' ? __abp_space(c) : letter != 'c' && __abp_in_set(set, length, c) == inverted)
      break;
    if (target != 0)
      target[read] = (char)c;
    place = __abp_behind(is_text, place);
    c = __abp_next(is_text, text, place);
  }
  if (read == 0 || (letter == 'c' && read < width && __abp_nondet_bool()))
    return NO_MATCH;
  if (target != 0 && letter != 'c')
    target[read] = 0;
  return place;
}

/* %d, %i, %u, %x, %X and %o. A number that does not fit is undefined; glibc stores what strtol and its
   kin read, cut off. 0x without a digit is none (ISO C), or 0 (glibc). */
long __abp_scan_integer(int is_text, const char *text, long place, int letter, unsigned width, int longs,
                        int shorts, void *target) {
  int base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : letter == 'i' ? 0 : 10;
  int is_signed = letter == 'd' || letter == 'i';
  int negative = 0, digits = 0, over = 0, c = __abp_next(is_text, text, place);
  unsigned read = 0;
  unsigned long long value = 0, limit = longs > 1 ? ULLONG_MAX : ULONG_MAX;
#define ADVANCE (read++, place = __abp_behind(is_text, place), c = __abp_next(is_text, text, place))
  if (c < 0)
    return NO_INPUT;
  if (c == '+' || c == '-') {
    negative = c == '-';
    ADVANCE;
  }
  if (is_signed)
    limit = limit / 2 + (unsigned)negative;
  if ((base == 16 || base == 0) && c == '0' && (width == 0 || read < width)) {
    digits = 1;
    ADVANCE;
    if ((c == 'x' || c == 'X') && (width == 0 || read < width)) {
      digits = __abp_nondet_bool();
      base = 16;
      ADVANCE;
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0)
    base = 10;
  while (__abp_digit(c) < base && (width == 0 || read < width)) {
    if (value > (limit - (unsigned)__abp_digit(c)) / (unsigned)base)
      over = 1;
    else
      value = value * (unsigned)base + (unsigned)__abp_digit(c);
    digits = 1;
    ADVANCE;
  }
  if (!digits)
    return NO_MATCH;
  if (over)
    value = limit;
  if (negative && (is_signed || !over))
    value = 0 - value;
  if (target == 0)
    return place;
  if (shorts >= 2 && is_signed)
    *(signed char *)target = (signed char)value;
  else if (shorts >= 2)
    *(unsigned char *)target = (unsigned char)value;
  else if (shorts == 1 && is_signed)
    *(short *)target = (short)value;
  else if (shorts == 1)
    *(unsigned short *)target = (unsigned short)value;
  else if (longs == 0 && is_signed)
    *(int *)target = (int)value;
  else if (longs == 0)
    *(unsigned *)target = (unsigned)value;
  else if (longs == 1 && is_signed)
    *(long *)target = (long)value;
  else if (longs == 1)
    *(unsigned long *)target = (unsigned long)value;
  else if (is_signed)
    *(long long *)target = (long long)value;
  else
    *(unsigned long long *)target = value;
  return place;
}

/* %a, %e, %f and %g, without a width. */
long __abp_scan_real(int is_text, const char *text, long place, int longs, void *target) {
  float single = 0;
  double wide = 0;
  long double widest = 0;
  if (__abp_next(is_text, text, place) < 0)
    return NO_INPUT;
  if (!is_text) {
    float any_single;
    double any_wide;
    long double any_widest;
    if (__abp_nondet_bool())
      return NO_MATCH;
    single = any_single;
    wide = any_wide;
    widest = any_widest;
    place = __abp_nondet_between(-1, 255);
  } else {
    char *end;
    if (longs == 0)
      single = strtof(text + place, &end);
    else if (longs == 1)
      wide = strtod(text + place, &end);
    else
      widest = strtold(text + place, &end);
    if (end == text + place)
      return NO_MATCH;
    place = end - text;
  }
  if (target == 0)
    ;
  else if (longs == 0)
    *(float *)target = single;
  else if (longs == 1)
    *(double *)target = wide;
  else
    *(long double *)target = widest;
  return place;
}

/* Formats that are not known before; the others are taken apart in lower/builtins/scanning.py. */
static int __abp_scan(int is_text, const char *text, const char *format, va_list list) {
  size_t i = 0;
  int done = 0;
  long place = is_text ? 0 : __abp_nondet_between(-1, 255);
  if (is_text)
    __abp_read_text(text);
  while (format[i] != 0) {
    int hidden = 0, longs = 0, shorts = 0, small;
    unsigned width = 0;
    char letter;
    if (__abp_space(format[i])) {
      place = __abp_scan_spaces(is_text, text, place);
      i++;
      continue;
    }
    if (format[i] != '%' || format[i + 1] == '%') {
      if (format[i] == '%') {
        i++;
        place = __abp_scan_spaces(is_text, text, place);
      }
      place = __abp_scan_character(is_text, text, place, (unsigned char)format[i]);
      if (place < -1)
        return place == NO_INPUT && done == 0 ? EOF : done;
      i++;
      continue;
    }
    i++;
    if (format[i] == '*') {
      hidden = 1;
      i++;
    }
    for (; format[i] >= '0' && format[i] <= '9'; i++)
      width = width * 10 + (unsigned)(format[i] - '0');
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
    small = letter | ('a' - 'A');
    if (letter == 'n' && longs + shorts + hidden + width == 0) {
      *va_arg(list, int *) = is_text ? (int)place : (int)__abp_nondet_between(0, INT_MAX);
      continue;
    }
    if (letter != 'c' && letter != '[')
      place = __abp_scan_spaces(is_text, text, place);
    if ((letter == 'c' || letter == 's' || letter == '[') && longs == 0) {
      size_t set;
      int inverted = letter == '[' && format[i] == '^';
      i = i + (size_t)inverted;
      set = i;
      if (letter == '[') {
        if (format[i] == ']')
          i++;
        while (format[i] != 0 && format[i] != ']')
          i++;
        if (format[i] == 0)
          __abp_fault("a set of characters without its ]");
      }
      if (letter == 'c' && width == 0)
        width = 1;
      place = __abp_scan_characters(is_text, text, place, letter, format + set, i - set, inverted, width,
                                    hidden ? 0 : va_arg(list, char *));
      if (letter == '[')
        i++;
    } else if (letter == 'd' || letter == 'i' || letter == 'u' || small == 'x' || letter == 'o') {
      place = __abp_scan_integer(is_text, text, place, letter, width, longs, shorts,
                                 hidden ? 0 : va_arg(list, void *));
    } else if ((__abp_prints_reals || __abp_prints_exponents) &&
               (small == 'a' || (small >= 'e' && small <= 'g')) && width + shorts == 0 && longs != 2) {
      place = __abp_scan_real(is_text, text, place, longs, hidden ? 0 : va_arg(list, void *));
    } else {
      __abp_cut("a conversion of scanf that is not supported");
    }
    if (place < -1)
      return place == NO_INPUT && done == 0 ? EOF : done;
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
