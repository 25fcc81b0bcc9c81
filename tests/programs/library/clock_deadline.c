// expect: true args: --property no-overflow
// Clocks of Linux end in the year 2262, when their nanoseconds do not fit into 64 bits any more.
#include <pthread.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
  struct timespec deadline;
  struct timeval day;
  clock_gettime(CLOCK_REALTIME, &deadline);
  long long nanoseconds = deadline.tv_sec * 1000000000ll + deadline.tv_nsec;
  deadline.tv_sec += 60;
  gettimeofday(&day, 0);
  long microseconds = day.tv_sec * 1000000 + day.tv_usec;
  time_t tomorrow = time(0) + 24 * 60 * 60;
  return nanoseconds / 1000 < microseconds && tomorrow > 0;
}
