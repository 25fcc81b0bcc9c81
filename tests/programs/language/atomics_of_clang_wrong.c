// expect: false(unreach-call) args: --property unreach-call
#include <assert.h>
#include <pthread.h>

static _Atomic int x;

static void *work(void *unused) {
  __c11_atomic_store(&x, __c11_atomic_load(&x, 5) + 1, 5);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  assert(x == 2);
  return 0;
}
