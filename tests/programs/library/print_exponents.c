// expect: true
// %e, %g and %a as glibc prints them.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static const double values[] = {
    0, -0.0, 1.5, 999999.5, 0.0001, 0.00001234, 123456789, 0.1, 1e-20, 1/0.0, 6.25, 3.14159, 0.5,
    -3.75, 10, 0x1.8p5, 1.96875, 0.000099999996,
};
static const char *const formats[] = {
    "%g", "%g", "%.0e", "%g", "%g", "%g", "%G", "%.17g", "%E", "%08G|", "%.1e", "%#.3g|", "%a",
    "%A", "%.3a", "%12a|", "%.1a", "%g",
};
static const char *const texts[] = {
    "0", "-0", "2e+00", "1e+06", "0.0001", "1.234e-05", "1.23457E+08", "0.10000000000000001",
    "1.000000E-20", "     INF|", "6.2e+00", "3.14|", "0x1p-1", "-0X1.EP+1", "0x1.400p+3",
    "    0x1.8p+5|", "0x2.0p+0", "0.0001",
};

int main(void) {
  char text[32];
  for (int k = 0; k < 18; k++) {
    int length = snprintf(text, sizeof text, formats[k], values[k]);
    assert(length == (int)strlen(texts[k]));
    assert(strcmp(text, texts[k]) == 0);
  }
  return 0;
}
