// expect: true args: --property valid-memtrack
#include <stdlib.h>
struct s { int *p; };
void f(struct s s) {
  exit(0);
}
int main(void) {
  struct s s;
  s.p = malloc(4);
  f(s);
  return 0;
}
