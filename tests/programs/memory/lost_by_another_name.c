// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
int *g, **other = &g;
int main(void) {
  g = malloc(sizeof *g);
  *other = 0;
  exit(0);
}
