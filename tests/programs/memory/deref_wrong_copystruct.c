// expect: false(valid-deref) args: --property valid-deref
#include <stdlib.h>
struct s { int a, b; } g;
int main(void) {
  struct s *p = malloc(4);
  g = *p;
  return 0;
}
