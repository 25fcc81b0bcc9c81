// expect: true args: --property unreach-call,valid-deref
/* A date has 24 characters and ends its line. */
#include <assert.h>
#include <time.h>

int main(void) {
  time_t now = time(0);
  char date[26];
  assert(ctime_r(&now, date) == date && date[24] == '\n' && date[25] == 0);
  return 0;
}
