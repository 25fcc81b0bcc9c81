// expect: false(unreach-call) args: --engine stateless
// NOTE(useless-rounds): nobody knows the node, but the next round reads what the last one wrote.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; };
static struct node first, second;
struct node *_Atomic top = &first;
static void *push(void *p) {
  struct node *n = malloc(sizeof *n), *old;
  n->next = 0;
  do {
    old = top;
    assert(old != &second || n->next == 0);
    n->next = old;
  } while (!atomic_compare_exchange_strong(&top, &old, n));
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, push, 0);
  top = &second;
  pthread_join(t, 0);
  return 0;
}
