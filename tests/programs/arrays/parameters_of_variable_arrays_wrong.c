// expect: false(valid-deref) args: --property valid-deref
// Rows are longer here than those that are given.
#include <stdlib.h>

static int last(int n, int m, int a[n][m]) { return a[n - 1][m - 1]; }

int main(void) {
  int(*a)[3] = calloc(2, sizeof *a);
  int r = last(2, 4, (int(*)[4])a);
  free(a);
  return r;
}
