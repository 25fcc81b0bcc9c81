// expect: true args: --engine stateless --property no-data-race --property valid-deref
// NOTE(useless-rounds): all of them are dropped, and nothing is there to be found.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *_Atomic top;
static void *push(void *p) {
  struct node *n = malloc(sizeof *n), *old = top;
  n->value = 1;
  do n->next = old;
  while (!atomic_compare_exchange_weak(&top, &old, n));
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, push, 0);
  pthread_create(&u, 0, push, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return top->value + top->next->value;
}
