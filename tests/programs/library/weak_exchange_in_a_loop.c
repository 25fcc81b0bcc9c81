// expect: true
// A failure for no reason leaves both objects as they are.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int value;
int other;

void *run(void *arg) {
  int expected = atomic_load(&value);
  while (!atomic_compare_exchange_weak(&value, &expected, expected + 1))
    ;
  return 0;
}

int main(void) {
  pthread_t thread;
  int expected = 0;
  _Bool weak = 0;
  assert(__atomic_compare_exchange_n(&other, &expected, 1, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  pthread_create(&thread, 0, run, 0);
  run(0);
  pthread_join(thread, 0);
  assert(value == 2);
  expected = 2;
  if (!atomic_compare_exchange_weak(&value, &expected, 7))
    assert(value == 2 && expected == 2);
  return 0;
}
