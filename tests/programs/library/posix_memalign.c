// expect: true args: --property unreach-call,valid-deref,valid-free,valid-memtrack
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p;
  if (posix_memalign((void **)&p, 64, 2 * sizeof *p) != 0)
    return 1;
  p[1] = 5;
  assert(p[1] == 5);
  free(p);
  return 0;
}
