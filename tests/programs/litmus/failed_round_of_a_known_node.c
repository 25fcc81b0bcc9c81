// expect: false(unreach-call) args: --engine stateless
// NOTE(useless-rounds): somebody knows the node, and sees what a round writes that fails.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *_Atomic next; };
static struct node first, second;
struct node *_Atomic top = &first, *_Atomic known;
static int stale;
static void *push(void *p) {
  struct node *n = malloc(sizeof *n), *old;
  n->next = 0;
  known = n;
  old = top;
  do n->next = old;
  while (!atomic_compare_exchange_strong(&top, &old, n));
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, push, 0);
  struct node *n = known, *before = atomic_exchange(&top, &second);
  if (n && before == &first) stale = n->next == &first;
  pthread_join(t, 0);
  assert(!stale);
  return 0;
}
