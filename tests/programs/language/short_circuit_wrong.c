// expect: false(unreach-call)
// The right operand is evaluated only where the left one does not decide.
#include <assert.h>

int main(void) {
  int n = 0, m = 0;
  int both = n++ && m++;
  int any = n++ || m++;
  assert(both == 0 && any == 1 && n == 2);
  assert(m == 1);
  return 0;
}
