// expect: true
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec now, pause = {0, 1000};
  struct timeval day;
  time_t seconds;
  time(&seconds);
  assert(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
  assert(gettimeofday(&day, 0) == 0);
  assert(sleep(1) == 0 && usleep(10) == 0 && nanosleep(&pause, 0) == 0);
  return 0;
}
