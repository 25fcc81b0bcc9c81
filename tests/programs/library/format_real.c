// expect: true args: --property unreach-call --property valid-memsafety
// As glibc prints them: rounded to the nearest, and to the even one of two.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static const double values[] = {0, -0.0, 0.5, 1.5, 2.5, 0.125, 9.995, -3.14159, 1e-7, 5e-324, 0.285,
                                999999.99999951, 4503599627370497.5, 1 / 0.0};
static const char *const formats[] = {"%f", "%.0f", "%.0f", "%.0f", "%#.0f", "%.2f", "%.2f",
                                      "%+8.3f|", "%-10.7f|", "%.3f", "%.2lf", "%f", "%.0f", "%05F"};
static const char *const texts[] = {"0.000000", "-0", "0", "2", "2.", "0.12", "9.99", "  -3.142|",
                                    "0.0000001 |", "0.000", "0.28", "1000000.000000",
                                    "4503599627370498", "  INF"};

int main(void) {
  char text[32];
  for (int k = 0; k < 14; k++) {
    int length = snprintf(text, sizeof text, formats[k], values[k]);
    assert(length == (int)strlen(texts[k]));
    assert(strcmp(text, texts[k]) == 0);
  }
  return 0;
}
