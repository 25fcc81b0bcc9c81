// expect: true
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *end, text[24];
  long double x;
  assert(strtold(" 0.1x", &end) == 0.1L && *end == 'x');
  assert(strtold("18446744073709551615", 0) == 18446744073709551615.0L);
  snprintf(text, sizeof text, "%.3Lf|%Lg", 2.5L, -0.25L);
  assert(strcmp(text, "2.500|-0.25") == 0);
  assert(sscanf("0.1 c", "%Lf %1s", &x, text) == 2 && x == 0.1L && text[0] == 'c');
  printf("%Lf\n", x);
  return 0;
}
