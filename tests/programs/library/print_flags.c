// expect: true args: --engine explicit
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[24];
  snprintf(text, sizeof text, "%x %X %#x %o %%", 255u, 10u, 16u, 8u);
  assert(!strcmp(text, "ff A 0x10 10 %"));
  snprintf(text, sizeof text, "%.2s|%*d|%+d|%c|%zu", "xyz", 3, 7, 5, 'q', sizeof(char));
  assert(!strcmp(text, "xy|  7|+5|q|1"));
  return 0;
}
