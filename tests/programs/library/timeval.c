// expect: true
#include <assert.h>
#include <sys/time.h>

int main(void) {
  struct timeval a = {1, 700000}, b = {2, 400000}, c;
  assert(timercmp(&a, &b, <) && timercmp(&b, &a, !=) && !timercmp(&a, &a, >));
  timeradd(&a, &b, &c);
  assert(c.tv_sec == 4 && c.tv_usec == 100000);
  timersub(&c, &a, &c);
  assert(c.tv_sec == 2 && c.tv_usec == 400000 && timerisset(&c));
  return 0;
}
