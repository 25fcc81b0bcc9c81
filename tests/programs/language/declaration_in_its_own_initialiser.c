// expect: true args: --data-model ILP32
// The scope of a name begins right after its declarator, before the initialiser.
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  int *p = sizeof p == 4 ? 0 : &n->value;
  assert(p == 0);
  assert(n->value == 1);
  return 0;
}
