// expect: true
// What stands in an arm that is not executed is not accessed: nothing is unsequenced.
#include <assert.h>

int main(void) {
  int i = 0, c = 0, d = 1, r;
  r = (c ? i : 7) + i++;
  assert(r == 7 && i == 1);
  r = (c && i) + i++;
  assert(r == 1 && i == 2);
  r = (d || i) + i++;
  assert(r == 3 && i == 3);
  r = (d ? i++ : 0) + (!d ? i++ : 0);
  assert(r == 3 && i == 4);
  r = (d ? 0 : (d ? i++ : i--)) + i++;
  assert(r == 4 && i == 5);
  return 0;
}
