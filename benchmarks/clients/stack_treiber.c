/* A stack of integers: a linked list whose top is changed by compare-and-swap.

   After [Treiber86]. Nodes are not used again,
   as with a garbage collector, so the top needs no counter.

   Bug switches, conditions (-D BUG_PUSH is all calls, -D BUG_PUSH='value == 1' some of them):
   BUG_PUSH (of `value`), BUG_POP: the call changes the top by a test and a separate store. */
#include <stdatomic.h>
#include <stdlib.h>

#ifndef BUG_PUSH
#define BUG_PUSH 0
#endif
#ifndef BUG_POP
#define BUG_POP 0
#endif

struct node {
  int value;
  struct node *below;
};

static struct node *_Atomic top;

static int exchange(struct node *old, struct node *new, int separately) {
  if (!separately)
    return atomic_compare_exchange_strong(&top, &old, new);
  if (top != old)
    return 0;
  top = new;
  return 1;
}

//@ operation value: 1..3
void stack_push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  do
    node->below = top;
  while (!exchange(node->below, node, BUG_PUSH));
}

/* The youngest value; 0 if the stack is empty. */
//@ operation
int stack_pop(void) {
  for (;;) {
    struct node *node = top;
    if (!node)
      return 0;
    if (exchange(node, node->below, BUG_POP))
      return node->value;
  }
}
