// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
struct n { struct n *next; };
int main(void) {
  struct n *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  p->next = q;
  q->next = p;
  p = q = 0;
  exit(0);
}
