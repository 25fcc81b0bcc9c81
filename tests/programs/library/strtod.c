// expect: true
#include <assert.h>
#include <stdlib.h>

static const char *const texts[] = {"1", "0.1", "-2.5e3", "  42", "+.5", "5.", "1e22", "x", "", "-",
                                    "1e", "1e+", "12.5abc", "0e999", ".", "e5", "1..2", "-0"};
static const double values[] = {1, 0.1, -2500, 42, 0.5, 5, 1e22, 0, 0, 0, 1, 1, 12.5, 0, 0, 0, 1, -0.0};
static const int ends[] = {1, 3, 6, 4, 3, 2, 4, 0, 0, 0, 1, 1, 4, 5, 0, 0, 2, 2};

int main(void) {
  for (int k = 0; k < 18; k++) {
    char *end;
    double value = strtod(texts[k], &end);
    assert(value == values[k]);
    assert(end - texts[k] == ends[k]);
    assert(atof(texts[k]) == value);
  }
  assert(1 / strtod("-0", 0) < 0);
  assert(strtof("0.1", 0) == 0.1f);
  return 0;
}
