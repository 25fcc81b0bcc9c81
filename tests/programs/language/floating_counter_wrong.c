// expect: false(unreach-call)
// A float cannot count beyond 16777216.
#include <assert.h>

float counter = 16777215;

int main(void) {
  counter++;
  assert(counter == 16777216);
  counter++;
  assert(counter == 16777217.0);
  return 0;
}
