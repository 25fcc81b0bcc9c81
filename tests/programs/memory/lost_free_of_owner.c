// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
int **g; int main(void) {
  g = malloc(sizeof *g);
  *g = malloc(4);
  free(g);
  exit(0);
}
