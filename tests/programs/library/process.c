// expect: true
/* Who the process is, and where it runs: any answers, within what is said. */
#define _GNU_SOURCE
#include <assert.h>
#include <locale.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec step;
  setlocale(LC_ALL, "");
  assert(getuid() == getuid() && getppid() >= 0 && get_nprocs() > 0 && sched_getcpu() >= 0);
  assert(clock_getres(CLOCK_MONOTONIC, &step) == 0 && step.tv_nsec > 0);
  return 0;
}
