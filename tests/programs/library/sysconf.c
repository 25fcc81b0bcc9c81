// expect: true args: --property no-overflow --property unreach-call
// Pages and ticks are those of Linux on x86; of all else a limit is any number, or there is none.
#include <assert.h>
#include <unistd.h>

int main(void) {
  assert(sysconf(_SC_PAGESIZE) == 4096 && sysconf(_SC_CLK_TCK) == 100);
  assert(sysconf(_SC_NPROCESSORS_ONLN) >= 1);
  assert(sysconf(_SC_THREAD_STACK_MIN) >= -1 && sysconf(_SC_MONOTONIC_CLOCK) >= -1);
  return 0;
}
