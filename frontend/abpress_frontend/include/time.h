#ifndef ABPRESS_TIME_H
#define ABPRESS_TIME_H
#include <abpress_base.h>

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct itimerspec {
  struct timespec it_interval;
  struct timespec it_value;
};
struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1
#define TIME_UTC 1

time_t time(time_t *result);
clock_t clock(void);
double difftime(time_t end, time_t start);
time_t mktime(struct tm *parts);
time_t timegm(struct tm *parts);
struct tm *gmtime(const time_t *time);
struct tm *localtime(const time_t *time);
struct tm *gmtime_r(const time_t *time, struct tm *result);
struct tm *localtime_r(const time_t *time, struct tm *result);
char *asctime(const struct tm *parts);
char *asctime_r(const struct tm *parts, char *text);
char *ctime(const time_t *time);
char *ctime_r(const time_t *time, char *text);
size_t strftime(char *text, size_t size, const char *format, const struct tm *parts);
int timespec_get(struct timespec *result, int base);
int nanosleep(const struct timespec *duration, struct timespec *remaining);
int clock_gettime(clockid_t clock, struct timespec *result);
int clock_settime(clockid_t clock, const struct timespec *value);
int clock_getres(clockid_t clock, struct timespec *result);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration,
                    struct timespec *remaining);
void tzset(void);

#endif
