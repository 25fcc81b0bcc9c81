/* Parts of times (ISO C 7.27.3): arbitrary ones, each in its range, and arbitrary texts of them, as
   abpress_frontend.assumed says. The result of localtime and gmtime is one object for all threads, as the
   standard permits and glibc has it. */
#include <abpress.h>
#include <limits.h>
#include <time.h>

static struct tm __abp_parts;

struct tm *gmtime_r(const time_t *time, struct tm *result) {
  time_t read = *time;
  result->tm_sec = (int)__abp_nondet_between(0, 60);
  result->tm_min = (int)__abp_nondet_between(0, 59);
  result->tm_hour = (int)__abp_nondet_between(0, 23);
  result->tm_mday = (int)__abp_nondet_between(1, 31);
  result->tm_mon = (int)__abp_nondet_between(0, 11);
  result->tm_year = __abp_nondet_int();
  result->tm_wday = (int)__abp_nondet_between(0, 6);
  result->tm_yday = (int)__abp_nondet_between(0, 365);
  result->tm_isdst = 0;
  result->tm_gmtoff = 0;
  result->tm_zone = "UTC";
  return result;
}

struct tm *localtime_r(const time_t *time, struct tm *result) { return gmtime_r(time, result); }

struct tm *gmtime(const time_t *time) { return gmtime_r(time, &__abp_parts); }

struct tm *localtime(const time_t *time) { return gmtime_r(time, &__abp_parts); }

/* Too long is 0, and what is stored then is not said. */
size_t strftime(char *text, size_t size, const char *format, const struct tm *parts) {
  size_t length = 0;
  struct tm read = *parts;
  char c;
  __abp_read_text(format);
  while (length < size && __abp_nondet_bool()) {
    c = (char)__abp_nondet_between(-128, 127);
    __abp_assume(c != 0);
    text[length] = c;
    length++;
  }
  if (length == size)
    return 0;
  text[length] = 0;
  return length;
}

/* Parts of which no time can be made are -1; parts that are given are brought into their ranges. */
time_t mktime(struct tm *parts) {
  struct tm read = *parts;
  time_t result = __abp_nondet_between(-1, LONG_MAX);
  if (result != -1)
    gmtime_r(&result, parts);
  return result;
}

time_t timegm(struct tm *parts) { return mktime(parts); }

void tzset(void) {}

/* Years of four digits, as the standard demands. */
char *asctime_r(const struct tm *parts, char *text) {
  struct tm read = *parts;
  int i;
  for (i = 0; i < 24; i++)
    text[i] = (char)__abp_nondet_between(32, 126);
  text[24] = '\n';
  text[25] = 0;
  return text;
}

char *ctime_r(const time_t *time, char *text) {
  struct tm parts;
  return asctime_r(gmtime_r(time, &parts), text);
}

static char __abp_date[26];

char *asctime(const struct tm *parts) { return asctime_r(parts, __abp_date); }

char *ctime(const time_t *time) { return ctime_r(time, __abp_date); }
