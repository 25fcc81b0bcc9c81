// expect: false(no-data-race) args: --property no-data-race --engine stateless
// NOTE(races-in-cuts): the step that reads x is possible in no execution.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

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
  int seen = x;
  __VERIFIER_assume(seen == 7);
  return 0;
}
