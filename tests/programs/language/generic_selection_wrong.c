// expect: false(unreach-call)
// A character constant is an int, and sizeof an unsigned long.
#include <assert.h>

int main(void) {
  char c = 0;
  assert(_Generic(c, char : 1, default : 0));
  assert(_Generic('a', char : 1, default : 0));
  return 0;
}
