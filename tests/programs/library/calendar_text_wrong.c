// expect: false(valid-deref) args: --property valid-deref
/* Room for a date without what ends it. */
#include <time.h>

int main(void) {
  time_t now = time(0);
  char date[25];
  ctime_r(&now, date);
  return 0;
}
