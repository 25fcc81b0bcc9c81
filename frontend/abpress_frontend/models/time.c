/* Clocks show arbitrary times; sleeping takes no step (other threads may run anywhere anyway). */
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

unsigned int sleep(unsigned int seconds) { return 0; }

int usleep(useconds_t microseconds) { return 0; }

int nanosleep(const struct timespec *duration, struct timespec *remaining) { return 0; }

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration,
                    struct timespec *remaining) {
  return 0;
}

/* Uninitialised variables are arbitrary inputs, chosen only where they are used. */
time_t time(time_t *result) {
  time_t now;
  if (result != 0)
    *result = now;
  return now;
}

clock_t clock(void) {
  clock_t now;
  return now;
}

int clock_gettime(clockid_t clock, struct timespec *result) {
  time_t seconds;
  long nanoseconds;
  result->tv_sec = seconds;
  result->tv_nsec = nanoseconds;
  return 0;
}

int timespec_get(struct timespec *result, int base) {
  time_t seconds;
  long nanoseconds;
  if (base != TIME_UTC)
    return 0;
  result->tv_sec = seconds;
  result->tv_nsec = nanoseconds;
  return base;
}

int gettimeofday(struct timeval *result, void *zone) {
  time_t seconds;
  suseconds_t microseconds;
  if (result != 0) {
    result->tv_sec = seconds;
    result->tv_usec = microseconds;
  }
  return 0;
}
