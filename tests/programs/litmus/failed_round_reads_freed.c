// expect: false(valid-deref) args: --engine stateless --property valid-deref
// NOTE(useless-rounds): the round that reads a freed node would fail, and is as if it had not been.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; };
struct node *_Atomic top;
static void *pop(void *p) {
  struct node *old = top;
  while (old && !atomic_compare_exchange_strong(&top, &old, old->next)) ;
  if (old) free(old);
  return p;
}
int main(void) {
  pthread_t t, u;
  for (int k = 0; k < 2; k++) {
    struct node *n = malloc(sizeof *n);
    n->next = top;
    top = n;
  }
  pthread_create(&t, 0, pop, 0);
  pthread_create(&u, 0, pop, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
