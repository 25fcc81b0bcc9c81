/* A set of integers: an unbalanced binary search tree, changed by compare-and-swap alone.

   A key, once it has a node, keeps it for ever: set_remove clears the node's mark, set_add sets it
   again or hangs a new node below the last one of its search.

   Bug switches, conditions on `key` (-D BUG_ADD is all calls, -D BUG_ADD='key == 1' some of them):
   BUG_ADD: the call hangs its node by a test and a separate store.
   BUG_REMOVE: the call clears the mark by a test and a separate store. */
#include <stdatomic.h>
#include <stdlib.h>

#ifndef BUG_ADD
#define BUG_ADD 0
#endif
#ifndef BUG_REMOVE
#define BUG_REMOVE 0
#endif

struct node {
  int key;
  _Atomic int present;
  struct node *_Atomic below[2];
};

static struct node *_Atomic root;

static int exchange(_Atomic int *cell, int old, int new, int separately) {
  if (!separately)
    return atomic_compare_exchange_strong(cell, &old, new);
  if (*cell != old)
    return 0;
  *cell = new;
  return 1;
}

static int hang(struct node *_Atomic *link, struct node *node, int separately) {
  struct node *nothing = 0;
  if (!separately)
    return atomic_compare_exchange_strong(link, &nothing, node);
  if (*link)
    return 0;
  *link = node;
  return 1;
}

/* The link to the key's node; if it has none, the empty link where it belongs. `*node` is what the
   link held. */
static struct node *_Atomic *find(int key, struct node **node) {
  struct node *_Atomic *link = &root;
  while ((*node = *link) && (*node)->key != key)
    link = &(*node)->below[key > (*node)->key];
  return link;
}

//@ operation key: 1..3
int set_add(int key) {
  struct node *fresh = 0;
  for (;;) {
    struct node *node;
    struct node *_Atomic *link = find(key, &node);
    if (node)
      return exchange(&node->present, 0, 1, 0);
    if (!fresh) {
      fresh = calloc(1, sizeof *fresh);
      fresh->key = key;
      fresh->present = 1;
    }
    if (hang(link, fresh, BUG_ADD))
      return 1;
  }
}

//@ operation key: 1..3
int set_remove(int key) {
  struct node *node;
  find(key, &node);
  return node && exchange(&node->present, 1, 0, BUG_REMOVE);
}

//@ operation key: 1..3
int set_contains(int key) {
  struct node *node;
  find(key, &node);
  return node && node->present;
}
