// expect: true args: --property unreach-call
// What Clang makes of <stdatomic.h>, in preprocessed programs.
#include <assert.h>
#include <pthread.h>

static _Atomic int x, y;
static int seen;

static void *work(void *unused) {
  __c11_atomic_store(&y, 1, 5);
  if (__c11_atomic_load(&x, 5) == 0)
    seen |= 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  int other, expected = 3;
  __c11_atomic_init(&x, 0);
  pthread_create(&thread, 0, work, 0);
  __c11_atomic_store(&x, 1, 5);
  other = __c11_atomic_load(&y, 5) == 0;
  __c11_atomic_thread_fence(5);
  pthread_join(thread, 0);
  assert(!(seen && other));
  assert(__c11_atomic_exchange(&x, 4, 5) == 1);
  assert(!__c11_atomic_compare_exchange_strong(&x, &expected, 5, 5, 5) && expected == 4);
  assert(__c11_atomic_compare_exchange_strong(&x, &expected, 5, 5, 5) && x == 5);
  assert(__c11_atomic_fetch_add(&x, 2, 5) == 5 && __c11_atomic_fetch_and(&x, 3, 5) == 7 && x == 3);
  return 0;
}
