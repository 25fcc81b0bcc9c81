#ifndef ABPRESS_SYS_TIME_H
#define ABPRESS_SYS_TIME_H
#include <sys/types.h>
#include <time.h>

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
struct timezone {
  int tz_minuteswest;
  int tz_dsttime;
};
struct itimerval {
  struct timeval it_interval;
  struct timeval it_value;
};
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2

int gettimeofday(struct timeval *result, void *zone);
int settimeofday(const struct timeval *value, const struct timezone *zone);
int getitimer(int which, struct itimerval *value);
int setitimer(int which, const struct itimerval *value, struct itimerval *old);
int utimes(const char *path, const struct timeval times[2]);

#include <sys/select.h>

#define timercmp(a, b, OPERATOR)                                                                   \
  ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec OPERATOR(b)->tv_usec                                  \
                              : (a)->tv_sec OPERATOR(b)->tv_sec)
#define timeradd(a, b, sum)                                                                        \
  do {                                                                                             \
    (sum)->tv_sec = (a)->tv_sec + (b)->tv_sec;                                                     \
    (sum)->tv_usec = (a)->tv_usec + (b)->tv_usec;                                                  \
    if ((sum)->tv_usec >= 1000000) {                                                               \
      ++(sum)->tv_sec;                                                                             \
      (sum)->tv_usec -= 1000000;                                                                   \
    }                                                                                              \
  } while (0)
#define timersub(a, b, rest)                                                                       \
  do {                                                                                             \
    (rest)->tv_sec = (a)->tv_sec - (b)->tv_sec;                                                    \
    (rest)->tv_usec = (a)->tv_usec - (b)->tv_usec;                                                 \
    if ((rest)->tv_usec < 0) {                                                                     \
      --(rest)->tv_sec;                                                                            \
      (rest)->tv_usec += 1000000;                                                                  \
    }                                                                                              \
  } while (0)
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)

#endif
