// expect: false(no-overflow) args: --property no-overflow --data-model ILP32
// A time_t of 32 bits ends in the year 2038.
#include <time.h>

int main(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 60;
  return deadline.tv_sec > 0;
}
