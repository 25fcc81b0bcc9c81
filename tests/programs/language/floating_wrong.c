// expect: false(unreach-call)
// Each operation rounds: the sum is the double after 0.3.
#include <assert.h>

int main(void) {
  double tenth = 0.1, sum = tenth + 0.2;
  assert(sum == 0.3);
  return 0;
}
