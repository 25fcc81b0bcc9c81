// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
struct s {
  int *p;
} a, b;
int main(void) {
  a.p = malloc(sizeof *a.p);
  a = b;
  exit(0);
}
