// expect: false(unreach-call) args: --engine stateless
// NOTE(useless-rounds): what a round reads is not what was read before it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int x, y;
static int seen;
static void *sets(void *p) {
  int old = y;
  while (!atomic_compare_exchange_strong(&x, &old, 3)) ;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sets, 0);
  x = 1;
  y = 2;
  seen = x;
  pthread_join(t, 0);
  assert(seen != 3);
  return 0;
}
