// expect: false(unreach-call) args: --engine stateless
// NOTE(useless-rounds): a round that would fail for good looks at what it has read before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int x;
static void *adds(void *p) {
  int old = x;
  for (;;) {
    int before = old;
    if (atomic_compare_exchange_strong(&x, &old, old + 1)) break;
    assert(before != 0 || old != 5);
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, adds, 0);
  x = 5;
  pthread_join(t, 0);
  return 0;
}
