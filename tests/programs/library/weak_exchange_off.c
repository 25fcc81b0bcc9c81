// expect: true args: --spurious-failures off
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

atomic_int value;
mtx_t mutex;

int main(void) {
  int expected = 0;
  assert(atomic_compare_exchange_weak(&value, &expected, 1));
  mtx_init(&mutex, mtx_plain);
  assert(mtx_trylock(&mutex) == thrd_success);
  return 0;
}
