// expect: true args: --property unreach-call --property no-overflow
// Times that are used only grow.
#include <assert.h>
#include <sys/resource.h>
#include <xmmintrin.h>

int main(void) {
  struct rusage before, after;
  struct rlimit limit;
  assert(getrusage(RUSAGE_SELF, &before) == 0 && getrusage(RUSAGE_SELF, &after) == 0);
  assert(before.ru_utime.tv_usec < 1000000 && before.ru_maxrss >= 0);
  assert(after.ru_utime.tv_sec >= before.ru_utime.tv_sec);
  assert(getrusage(7, &after) == -1);
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
    assert(limit.rlim_cur <= limit.rlim_max);
  unsigned int control = _mm_getcsr();
  _mm_setcsr(control & ~0x3fu);
  assert((_mm_getcsr() & 0x1f80) == 0x1f80);
  return 0;
}
