// expect: false(unreach-call) args: --engine stateless --por optimal
// NOTE(useless-rounds): what was read before the round has changed; the round does not depend on it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int x, y, z;
static int seen;
static void *looks(void *p) {
  seen = z;
  y = 1;
  return p;
}
static void *writes(void *p) {
  x = 1;
  return p;
}
static void *exchanges(void *p) {
  int old = y;
  while (!atomic_compare_exchange_strong(&x, &old, 3)) ;
  z = 1;
  return p;
}
int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, 0, looks, 0);
  pthread_create(&u, 0, exchanges, 0);
  pthread_create(&v, 0, writes, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  pthread_join(v, 0);
  assert(seen != 1 || x != 3);
  return 0;
}
