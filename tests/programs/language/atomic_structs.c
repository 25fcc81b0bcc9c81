// expect: true args: --property unreach-call --property no-data-race
// What is read or written of an _Atomic struct is all of it, in one step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int x, y;
};
struct tagged {
  void *top;
  unsigned tag;
};

static _Atomic struct pair pair = {1, 1};
static _Atomic(struct tagged) tagged;
static struct pair builtin;

static void *write(void *p) {
  struct pair next = {2, 2}, old;
  pair = next;
  old = atomic_exchange(&pair, ((struct pair){3, 3}));
  assert(old.x == 2);
  __atomic_store(&builtin, &next, __ATOMIC_SEQ_CST);
  return 0;
}

static void *push(void *p) {
  struct tagged old = atomic_load(&tagged), next;
  do {
    next.top = p;
    next.tag = old.tag + 1;
  } while (!atomic_compare_exchange_strong(&tagged, &old, next));
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  struct pair seen, expected = {3, 3}, given = {4, 4};
  _Static_assert(_Alignof(_Atomic struct pair) == 8, "as wide as it is");
  pthread_create(&a, 0, write, 0);
  seen = pair;
  assert(seen.x == seen.y);
  __atomic_load(&builtin, &seen, __ATOMIC_SEQ_CST);
  assert(seen.x == seen.y);
  pthread_join(a, 0);
  assert(__atomic_compare_exchange(&pair, &expected, &given, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  assert(!atomic_compare_exchange_strong(&pair, &expected, given));
  assert(expected.x == 4 && atomic_load(&pair).y == 4);
  pthread_create(&b, 0, push, &a);
  pthread_create(&c, 0, push, &b);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(atomic_load(&tagged).tag == 2);
  return 0;
}
