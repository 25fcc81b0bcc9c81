// expect: false(no-data-race) args: --engine stateless --property no-data-race
// NOTE(useless-rounds): only in a round that fails is the value read while it is written.
#include <pthread.h>
#include <stdatomic.h>
struct node { int value; };
static struct node first, second;
struct node *_Atomic top = &first;
static void *reads(void *p) {
  struct node *old = top;
  int value;
  do value = old->value;
  while (!atomic_compare_exchange_strong(&top, &old, 0));
  return value ? p : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reads, 0);
  struct node *old = &first;
  if (atomic_compare_exchange_strong(&top, &old, &second)) first.value = 1;
  pthread_join(t, 0);
  return 0;
}
