// expect: true
#include <assert.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
  struct timespec a, b;
  struct timeval day;
  clock_gettime(CLOCK_MONOTONIC, &a);
  clock_gettime(CLOCK_MONOTONIC, &b);
  assert(a.tv_nsec >= 0 && a.tv_nsec <= 999999999);
  assert(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
  gettimeofday(&day, 0);
  assert(day.tv_usec >= 0 && day.tv_usec <= 999999);
  clock_t first = clock(), second = clock();
  assert(second == -1 || second >= first);
  time_t stored, now = time(&stored);
  assert(now == stored);
  return 0;
}
