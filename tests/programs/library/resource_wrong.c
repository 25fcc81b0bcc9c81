// expect: false(unreach-call)
// Parts of a second may be fewer later.
#include <assert.h>
#include <sys/resource.h>

int main(void) {
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  getrusage(RUSAGE_SELF, &after);
  assert(after.ru_utime.tv_usec >= before.ru_utime.tv_usec);
  return 0;
}
