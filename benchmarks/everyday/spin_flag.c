/* A lock made of an atomic flag. */
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int count;

static int work(void *unused) {
  (void)unused;
  while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire)) thrd_yield();
  count++;
  atomic_flag_clear_explicit(&taken, memory_order_release);
  return 0;
}

int main(void) {
  thrd_t a, b;
  thrd_create(&a, work, 0);
  thrd_create(&b, work, 0);
  thrd_join(a, 0);
  thrd_join(b, 0);
  assert(count == 2);
  return 0;
}
