// expect: unknown "may be missed" args: --property no-data-race --engine stateless
// NOTE(races-in-cuts): a block that reads x and then joins is not taken back before the thread's end.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

atomic_int ready;
int x;

void *worker(void *arg) {
  ready = 1;
  x = 2;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  __VERIFIER_assume(ready == 1);
  __VERIFIER_atomic_begin();
  int seen = x;
  pthread_join(t, 0);
  __VERIFIER_atomic_end();
  return seen;
}
