// expect: true
// An array of a constant number of variable rows is variable itself (C11 6.7.6.2p4).
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int n = 3;
  int rows[2][n];
  int (*pointers[3])[n];
  assert(sizeof(int[2][n]) == 24 && sizeof rows == 24 && sizeof rows[0] == 12);
  assert(sizeof pointers == 3 * sizeof(void *));
  rows[1][0] = 7;
  rows[0][2] = 6;
  assert(rows[1][0] == 7 && rows[0][2] == 6);
  assert(sizeof(int[2][n++]) == 24 && n == 4);
  int *block = malloc(sizeof(int[2][n]));
  block[7] = 1;
  free(block);
  return 0;
}
