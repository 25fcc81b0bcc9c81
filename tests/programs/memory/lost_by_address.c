// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  int **q = &p;
  *q = 0;
  exit(0);
}
