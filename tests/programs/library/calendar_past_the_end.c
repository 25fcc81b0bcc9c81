// expect: false(valid-deref) args: --property valid-deref
#include <time.h>

int main(void) {
  char text[4];
  time_t now = 0;
  struct tm parts;
  gmtime_r(&now, &parts);
  strftime(text, 9, "%H:%M:%S", &parts);
  return 0;
}
