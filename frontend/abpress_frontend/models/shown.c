/* What the system reads: texts that are shown or name something, streams, and deadlines. That is an access
   where such accesses count (`reads_text` of abpress.properties); else nobody could see it. */
#include <abpress.h>
#include <stdarg.h>
#include <time.h>

/* Of functions that take a null pointer for no text. */
void __abp_read_text_if_any(const char *text) {
  if (text != 0)
    __abp_read_text(text);
}

/* There has to be a stream where one is used. */
void __abp_use_stream(const void *stream) {
  if (__abp_reads_text)
    (void)*(const char *)stream;
}

/* Whether the nanoseconds of a deadline are in range. It may be read first, whether or not the call has
   to wait; which errors it makes then hangs on the call. */
int __abp_is_time(const struct timespec *deadline) {
  if (__abp_reads_text)
    (void)deadline->tv_sec;
  return (unsigned long)deadline->tv_nsec < 1000000000ul;
}

/* Whether deadlines can be times of this clock (glibc). */
int __abp_has_deadlines(int clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

static int __abp_is_one_of(char c, const char *set) {
  size_t i = 0;
  while (set[i] != 0 && set[i] != c)
    i++;
  return set[i] != 0;
}

/* The arguments of vprintf and its kin (ISO C 7.21.6.1), of which those of %s are texts, for formats
   that are not known before. */
void __abp_read_printed(const char *format, __builtin_va_list list) {
  size_t i = 0;
  if (!__abp_reads_text || format == 0)
    return;
  while (format[i] != 0) {
    int longs = 0, precision = -1;
    char c;
    i++;
    if (format[i - 1] != '%')
      continue;
    while (format[i] != 0 && __abp_is_one_of(format[i], "-+ #0'I"))
      i++;
    if (format[i] == '*') {
      (void)va_arg(list, int);
      i++;
    }
    while (format[i] >= '0' && format[i] <= '9')
      i++;
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
    for (; format[i] != 0 && __abp_is_one_of(format[i], "hlLqjzt"); i++)
      longs = format[i] == 'h' ? longs : format[i] == 'l' ? longs + 1 : longs + 2;
    c = format[i];
    if (c == 0)
      return;
    i++;
    if (c == 's' && longs == 0) {
      const char *text = va_arg(list, const char *);
      int k = 0;
      while ((precision < 0 || k < precision) && text[k] != 0)
        k++;
    } else if (c == 'p' || c == 'n' || c == 's') {
      (void)va_arg(list, void *);
    } else if (__abp_is_one_of(c, "aAeEfFgG")) {
      if (longs == 2)
        (void)va_arg(list, long double);
      else
        (void)va_arg(list, double);
    } else if (c != '%' && c != 'm') {
      if (longs == 0)
        (void)va_arg(list, int);
      else
        (void)va_arg(list, long long);
    }
  }
}
