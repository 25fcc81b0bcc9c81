// expect: true args: --property valid-memtrack
#include <stdlib.h>
int main(void) {
  {
    int *p = malloc(4);
    exit(0);
  }
}
