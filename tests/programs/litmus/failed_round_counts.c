// expect: false(unreach-call) args: --engine stateless
// NOTE(useless-rounds): a round that fails leaves a number behind.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int x;
static void *adds(void *p) {
  int old = x, failed = 0;
  while (!atomic_compare_exchange_strong(&x, &old, old + 1)) failed++;
  assert(failed == 0);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, adds, 0);
  x = 5;
  pthread_join(t, 0);
  return 0;
}
