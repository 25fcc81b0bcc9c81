// expect: true
// What <genmc.h> marks is executed; its hints change nothing.
#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>

atomic_int value, ready;

void *adder(void *argument) {
  int old, new;
  do {
    old = __VERIFIER_speculative_read(atomic_load(&value););
    new = old + (int)(intptr_t)argument;
  } while (!__VERIFIER_confirming_CAS(atomic_compare_exchange_strong(&value, &old, new)));
  __VERIFIER_local_write(new = 0);
  __VERIFIER_final_write(ready = 1);
  return argument;
}

int main(void) {
  __VERIFIER_thread_t one, two;
  one = __VERIFIER_spawn(adder, (void *)1);
  two = __VERIFIER_spawn_symmetric(adder, (void *)2, one);
  for (__VERIFIER_loop_begin(); __VERIFIER_spin_start(), !ready; __VERIFIER_spin_end(ready))
    ;
  assert(value != 0);
  __VERIFIER_optional(assert(ready););
  assert(__VERIFIER_join(one) == (void *)1);
  __VERIFIER_join_symmetric(two);
  __VERIFIER_helping_CAS(atomic_compare_exchange_strong(&ready, &(int){1}, 5));
  assert(ready == 5);
  assert(value == 3);
  return 0;
}
