/* Numbers (ISO C 7.22). Conversions follow ASCII. Undefined: abs of the least number (a signed
   overflow here), and atoi and its like out of range, which are as in glibc. */
#include <abpress.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

int abs(int value) { return value < 0 ? -value : value; }

long labs(long value) { return value < 0 ? -value : value; }

long long llabs(long long value) { return value < 0 ? -value : value; }

static int __abp_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The value of a digit, or 36. */
static int __abp_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z')
    return c - 'A' + 10;
  return 36;
}

/* The magnitude; beyond `limit` (`negative_limit` after a minus) that limit, and *over is set. */
static unsigned long long __abp_magnitude(const char *text, char **end, int base,
                                          unsigned long long limit,
                                          unsigned long long negative_limit, int *negative,
                                          int *over) {
  size_t i = 0;
  size_t done = 0;
  unsigned long long value = 0;
  int digit;
  while (__abp_is_space(text[i]))
    i++;
  if (text[i] == '+' || text[i] == '-') {
    *negative = text[i] == '-';
    i++;
  }
  if (*negative)
    limit = negative_limit;
  if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X') &&
      __abp_digit(text[i + 2]) < 16) {
    base = 16;
    i = i + 2;
  } else if (base == 0) {
    base = text[i] == '0' ? 8 : 10;
  }
  digit = __abp_digit(text[i]);
  while (digit < base) {
    if (value > (limit - (unsigned long long)digit) / (unsigned long long)base)
      *over = 1;
    else
      value = value * (unsigned long long)base + (unsigned long long)digit;
    i++;
    done = i;
    digit = __abp_digit(text[i]);
  }
  if (end != 0)
    *end = (char *)(text + done);
  return *over ? limit : value;
}

long strtol(const char *text, char **end, int base) {
  int negative = 0;
  int over = 0;
  unsigned long long value;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  value =
      __abp_magnitude(text, end, base, LONG_MAX, (unsigned long long)LONG_MAX + 1, &negative, &over);
  if (over)
    errno = ERANGE;
  return (long)(negative ? 0ull - value : value);
}

unsigned long strtoul(const char *text, char **end, int base) {
  int negative = 0;
  int over = 0;
  unsigned long long value;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  value = __abp_magnitude(text, end, base, ULONG_MAX, ULONG_MAX, &negative, &over);
  if (over) {
    errno = ERANGE;
    return ULONG_MAX;
  }
  return (unsigned long)(negative ? 0ull - value : value);
}

long long strtoll(const char *text, char **end, int base) {
  int negative = 0;
  int over = 0;
  unsigned long long value;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  value =
      __abp_magnitude(text, end, base, LLONG_MAX, (unsigned long long)LLONG_MAX + 1, &negative, &over);
  if (over)
    errno = ERANGE;
  return (long long)(negative ? 0ull - value : value);
}

unsigned long long strtoull(const char *text, char **end, int base) {
  int negative = 0;
  int over = 0;
  unsigned long long value;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  value = __abp_magnitude(text, end, base, ULLONG_MAX, ULLONG_MAX, &negative, &over);
  if (over) {
    errno = ERANGE;
    return ULLONG_MAX;
  }
  return (unsigned long long)(negative ? 0ull - value : value);
}

long __strtol_internal(const char *text, char **end, int base, int group) {
  return strtol(text, end, base);
}

unsigned long __strtoul_internal(const char *text, char **end, int base, int group) {
  return strtoul(text, end, base);
}

long long __strtoll_internal(const char *text, char **end, int base, int group) {
  return strtoll(text, end, base);
}

unsigned long long __strtoull_internal(const char *text, char **end, int base, int group) {
  return strtoull(text, end, base);
}

int atoi(const char *text) { return (int)strtol(text, 0, 10); }

long atol(const char *text) { return strtol(text, 0, 10); }

long long atoll(const char *text) { return strtoll(text, 0, 10); }

intmax_t strtoimax(const char *text, char **end, int base) { return strtoll(text, end, base); }

uintmax_t strtoumax(const char *text, char **end, int base) { return strtoull(text, end, base); }

/* The same by the names of C23, in which base 2, which base 0 may be, has a prefix: a bound. */
static void __abp_expect_no_prefix(const char *text, int base) {
  size_t i = 0;
  if (base != 0 && base != 2)
    return;
  while (__abp_is_space(text[i]))
    i++;
  if (text[i] == '+' || text[i] == '-')
    i++;
  if (text[i] == '0' && (text[i + 1] == 'b' || text[i + 1] == 'B'))
    __abp_cut("a binary number is read");
}

long __isoc23_strtol(const char *text, char **end, int base) {
  __abp_expect_no_prefix(text, base);
  return strtol(text, end, base);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
  __abp_expect_no_prefix(text, base);
  return strtoul(text, end, base);
}

long long __isoc23_strtoll(const char *text, char **end, int base) {
  __abp_expect_no_prefix(text, base);
  return strtoll(text, end, base);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
  __abp_expect_no_prefix(text, base);
  return strtoull(text, end, base);
}

intmax_t __isoc23_strtoimax(const char *text, char **end, int base) {
  __abp_expect_no_prefix(text, base);
  return strtoimax(text, end, base);
}

uintmax_t __isoc23_strtoumax(const char *text, char **end, int base) {
  __abp_expect_no_prefix(text, base);
  return strtoumax(text, end, base);
}

/* Random numbers are arbitrary inputs, but the same seed gives the same ones again: in programs that
   seed more than once, the first numbers since the seed was another one are kept. */
#define KEPT 8

static unsigned int __abp_seed = 1;
static int __abp_drawn;
static int __abp_kept;
static int __abp_draw[KEPT];

int rand(void) {
  int value = (int)__abp_nondet_between(0, RAND_MAX);
  if (__abp_seeds_again) {
    __abp_atomic_begin();
    if (__abp_drawn < __abp_kept) {
      value = __abp_draw[__abp_drawn];
      __abp_drawn++;
    } else if (__abp_kept < KEPT) {
      __abp_draw[__abp_kept] = value;
      __abp_kept++;
      __abp_drawn++;
    }
    __abp_atomic_end();
  }
  return value;
}

void srand(unsigned int seed) {
  if (__abp_seeds_again) {
    __abp_atomic_begin();
    if (seed != __abp_seed)
      __abp_kept = 0;
    __abp_seed = seed;
    __abp_drawn = 0;
    __abp_atomic_end();
  }
}

int rand_r(unsigned int *seed) {
  *seed = __abp_nondet_uint();
  return rand();
}

long random(void) { return rand(); }

void srandom(unsigned int seed) {}

long lrand48(void) { return rand(); }

/* A multiple of 2 to the power of -48. */
double drand48(void) {
  long high = __abp_nondet_between(0, 16777215), low = __abp_nondet_between(0, 16777215);
  return (high * 16777216.0 + low) / 281474976710656.0;
}

long mrand48(void) { return __abp_nondet_int(); }

void srand48(long seed) {}

/* The state is what the caller keeps; each call changes it, and what is drawn does not depend on it. */
static void __abp_draw_state(unsigned short state[3]) {
  for (int i = 0; i < 3; i++)
    state[i] = (unsigned short)__abp_nondet_between(0, 65535);
}

double erand48(unsigned short state[3]) {
  __abp_draw_state(state);
  return drand48();
}

long nrand48(unsigned short state[3]) {
  __abp_draw_state(state);
  return lrand48();
}

long jrand48(unsigned short state[3]) {
  __abp_draw_state(state);
  return mrand48();
}

int srand48_r(long seed, struct drand48_data *buffer) {
  __abp_draw_state(buffer->__x);
  buffer->__init = 1;
  return 0;
}

int erand48_r(unsigned short state[3], struct drand48_data *buffer, double *result) {
  buffer->__init = 1;
  *result = erand48(state);
  return 0;
}

int nrand48_r(unsigned short state[3], struct drand48_data *buffer, long *result) {
  buffer->__init = 1;
  *result = nrand48(state);
  return 0;
}

int jrand48_r(unsigned short state[3], struct drand48_data *buffer, long *result) {
  buffer->__init = 1;
  *result = jrand48(state);
  return 0;
}

int drand48_r(struct drand48_data *buffer, double *result) {
  return erand48_r(buffer->__x, buffer, result);
}

int lrand48_r(struct drand48_data *buffer, long *result) {
  return nrand48_r(buffer->__x, buffer, result);
}

int mrand48_r(struct drand48_data *buffer, long *result) {
  return jrand48_r(buffer->__x, buffer, result);
}

div_t div(int dividend, int divisor) {
  div_t result;
  result.quot = dividend / divisor;
  result.rem = dividend % divisor;
  return result;
}

ldiv_t ldiv(long dividend, long divisor) {
  ldiv_t result;
  result.quot = dividend / divisor;
  result.rem = dividend % divisor;
  return result;
}

lldiv_t lldiv(long long dividend, long long divisor) {
  lldiv_t result;
  result.quot = dividend / divisor;
  result.rem = dividend % divisor;
  return result;
}
