// expect: false(unreach-call)
// As constants.c, with a wrong value.
#include <assert.h>
static int number = 1;
static int *const fixed = &number;

int main(void) {
  static const int four = 4;
  *fixed = four;
  assert(number == 1);
  return 0;
}
