// expect: false(unreach-call) args: --property unreach-call
// cause: check then act
// Each access is atomic, both together are not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int money = 10;

static void *draws(void *arg) {
  if (atomic_load(&money) >= 10) {  // <-
    int left = atomic_fetch_sub(&money, 10);  // <-
    assert(left >= 10);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, draws, 0);
  pthread_create(&b, 0, draws, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
