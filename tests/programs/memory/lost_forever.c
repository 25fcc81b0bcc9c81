// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  p = 0;
  while (1) ;
}
