// expect: false(valid-deref) args: --property valid-deref
// A flexible array has as many elements as there is memory for.
#include <stdlib.h>

struct s { int n; int data[]; };

int main(void) {
  struct s *s = malloc(sizeof *s + 2 * sizeof(int));
  s->data[1] = 1;
  s->data[2] = 1;
  free(s);
  return 0;
}
