// expect: false(unreach-call)
// Two reads of an _Atomic struct are two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int x, y;
};
static _Atomic struct pair pair;

static void *write(void *p) {
  atomic_store(&pair, ((struct pair){1, 1}));
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, write, 0);
  int x = atomic_load(&pair).x, y = atomic_load(&pair).y;
  assert(x == y);
  return 0;
}
