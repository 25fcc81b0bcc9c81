/* A queue of integers: a linked list with a dummy node, changed by compare-and-swap alone.

   After [MichaelScott96].
   Nodes are not used again, as with a garbage collector, so pointers need no
   counters.

   Bug switches, conditions (-D BUG_ENQUEUE is all calls, -D BUG_ENQUEUE='value == 1' some of them):
   BUG_ENQUEUE (of `value`): the call links its node by a test and a separate store.
   BUG_DEQUEUE: the call moves the head by a test and a separate store. */
#include <stdatomic.h>
#include <stdlib.h>

#ifndef BUG_ENQUEUE
#define BUG_ENQUEUE 0
#endif
#ifndef BUG_DEQUEUE
#define BUG_DEQUEUE 0
#endif

struct node {
  int value;
  struct node *_Atomic next;
};

static struct node dummy;
static struct node *_Atomic head = &dummy;
static struct node *_Atomic tail = &dummy;

static int exchange(struct node *_Atomic *cell, struct node *old, struct node *new,
                    int separately) {
  if (!separately)
    return atomic_compare_exchange_strong(cell, &old, new);
  if (*cell != old)
    return 0;
  *cell = new;
  return 1;
}

//@ operation value: 1..3
void queue_enqueue(int value) {
  struct node *node = calloc(1, sizeof *node);
  node->value = value;
  for (;;) {
    struct node *end = tail;
    struct node *next = end->next;
    if (next)
      exchange(&tail, end, next, 0);
    else if (exchange(&end->next, 0, node, BUG_ENQUEUE)) {
      exchange(&tail, end, node, 0);
      return;
    }
  }
}

/* The oldest value; 0 if the queue is empty. */
//@ operation
int queue_dequeue(void) {
  for (;;) {
    struct node *begin = head;
    struct node *end = tail;
    struct node *next = begin->next;
    if (!next)
      return 0;
    if (begin == end)
      exchange(&tail, end, next, 0);
    else if (exchange(&head, begin, next, BUG_DEQUEUE))
      return next->value;
  }
}
