// expect: false(unreach-call)
// The time of day can be set.
#include <assert.h>
#include <time.h>

int main(void) {
  struct timespec a, b;
  clock_gettime(CLOCK_REALTIME, &a);
  clock_gettime(CLOCK_REALTIME, &b);
  assert(b.tv_sec >= a.tv_sec);
  return 0;
}
