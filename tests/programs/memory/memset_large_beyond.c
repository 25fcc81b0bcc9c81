// expect: false(valid-deref) args: --property valid-deref
// As much as two objects have, from the beginning of one.
#include <string.h>

struct big { int v[20][100]; char c; };
static struct big one;

int main(void) {
  size_t n = 2;
  memset(&one, 0, n * sizeof one);
  return 0;
}
