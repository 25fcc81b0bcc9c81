// expect: false(valid-free) args: --property valid-free
// NOTE(never-written): a pointer in memory that was never written need not be one that can be freed.
#include <stdlib.h>

struct pair {
  int *left, *right;
};

int main(void) {
  struct pair *both = malloc(sizeof *both);
  both->left = 0;
  free(both->left);
  free(both->right);
  free(both);
  return 0;
}
