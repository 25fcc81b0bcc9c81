// expect: false(unreach-call) args: --property unreach-call
// cause: ABA
// A compare-and-exchange takes the same value for no change.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top = 1;
static atomic_int below = 3;

static void *pops(void *arg) {
  int seen = atomic_load(&top);  // <-
  int next = atomic_load(&below);
  atomic_compare_exchange_strong(&top, &seen, next);  // <-
  return arg;
}

static void *pops_and_pushes(void *arg) {
  atomic_store(&top, 2);
  atomic_store(&below, 4);
  atomic_store(&top, 1);  // <-
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, pops, 0);
  pthread_create(&b, 0, pops_and_pushes, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(top == 1 || top == below);
  return 0;
}
