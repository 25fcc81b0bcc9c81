// expect: false(valid-memtrack) args: --property valid-memtrack
#include <stdlib.h>
struct n { struct n *next; } *head;
int main(void) {
  for (int i = 0; i < 3; i++) {
    struct n *p = malloc(sizeof *p);
    p->next = head;
    head = p;
  }
  head->next = 0;
  exit(0);
}
