/* Clocks show arbitrary times up to the last that they have; those that cannot be set show none before the last one (POSIX.1-2017
   clock_getres). Reading a clock does not fail. Sleeping takes no step: other threads may run
   anywhere anyway. */
#include <abpress.h>
#include <errno.h>
#include <limits.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

unsigned int sleep(unsigned int seconds) { return 0; }

int usleep(useconds_t microseconds) { return 0; }

/* A time below 0 is over by POSIX, and invalid for Linux. */
int __abp_is_duration(const struct timespec *duration) {
  return __abp_is_time(duration) && (duration->tv_sec >= 0 || __abp_nondet_bool());
}

int nanosleep(const struct timespec *duration, struct timespec *remaining) {
  if (__abp_is_duration(duration))
    return 0;
  errno = EINVAL;
  return -1;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration,
                    struct timespec *remaining) {
  return __abp_is_duration(duration) ? 0 : EINVAL;
}

/* It may be set, so it can go backwards. -1 is possible (ISO C). */
time_t time(time_t *result) {
  time_t now = __abp_nondet_between(-1, __ABP_LAST_SECOND);
  if (result != 0)
    *result = now;
  return now;
}

static clock_t __abp_clock;

/* Processor time only grows, as long as it is known (ISO C: else -1). */
clock_t clock(void) {
  clock_t now = __abp_nondet_between(-1, LONG_MAX);
  if (now == -1)
    return -1;
  __abp_atomic_begin();
  __abp_assume(now >= __abp_clock);
  __abp_clock = now;
  __abp_atomic_end();
  return now;
}

/* The last time that each clock has shown. */
static struct timespec __abp_clocks[CLOCK_BOOTTIME + 1];
static _Thread_local struct timespec __abp_own_clock;

int clock_gettime(clockid_t clock, struct timespec *result) {
  long seconds = __abp_nondet_between(0, __ABP_LAST_SECOND);
  long nanoseconds = __abp_nondet_between(0, 999999999);
  if (clock < 0 || clock > CLOCK_BOOTTIME) {
    errno = EINVAL;
    return -1;
  }
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) {
    __abp_atomic_begin();
    if (clock == CLOCK_THREAD_CPUTIME_ID) {
      __abp_assume(seconds > __abp_own_clock.tv_sec ||
                   (seconds == __abp_own_clock.tv_sec && nanoseconds >= __abp_own_clock.tv_nsec));
      __abp_own_clock.tv_sec = seconds;
      __abp_own_clock.tv_nsec = nanoseconds;
    } else {
      __abp_assume(
          seconds > __abp_clocks[clock].tv_sec ||
          (seconds == __abp_clocks[clock].tv_sec && nanoseconds >= __abp_clocks[clock].tv_nsec));
      __abp_clocks[clock].tv_sec = seconds;
      __abp_clocks[clock].tv_nsec = nanoseconds;
    }
    __abp_atomic_end();
  }
  result->tv_sec = seconds;
  result->tv_nsec = nanoseconds;
  return 0;
}

double difftime(time_t end, time_t start) { return (double)((__int128)end - start); }

int timespec_get(struct timespec *result, int base) {
  if (base != TIME_UTC)
    return 0;
  result->tv_sec = __abp_nondet_between(0, __ABP_LAST_SECOND);
  result->tv_nsec = __abp_nondet_between(0, 999999999);
  return base;
}

int gettimeofday(struct timeval *result, void *zone) {
  if (result != 0) {
    result->tv_sec = __abp_nondet_between(0, __ABP_LAST_SECOND);
    result->tv_usec = __abp_nondet_between(0, 999999);
  }
  return 0;
}

int clock_getres(clockid_t clock, struct timespec *result) {
  if (clock < 0 || clock > CLOCK_BOOTTIME) {
    errno = EINVAL;
    return -1;
  }
  if (result != 0) {
    result->tv_sec = 0;
    result->tv_nsec = __abp_nondet_between(1, 999999999);
  }
  return 0;
}
