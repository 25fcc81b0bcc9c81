// expect: true args: --property unreach-call --engine abpress
#include <assert.h>
#include <time.h>

int main(void) {
  char text[3];
  time_t now = time(0);
  struct tm parts, *same = localtime_r(&now, &parts);
  assert(same == &parts && parts.tm_hour >= 0 && parts.tm_hour < 24);
  size_t length = strftime(text, sizeof text, "%H", &parts);
  assert(length < sizeof text);
  return 0;
}
