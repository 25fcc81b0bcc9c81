// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
int *g;
int main(void) {
  for (int i = 0; i < 2; i++)
    g = malloc(sizeof *g);
  exit(0);
}
