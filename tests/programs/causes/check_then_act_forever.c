// expect: false(unreach-call) args: --property unreach-call
// cause: check then act
// Two consumers that never end take the last item.
#include <assert.h>
#include <pthread.h>

static int items;

static void *produces(void *arg) {
  for (;;)
    if (items == 0)
      __sync_fetch_and_add(&items, 1);
  return arg;
}

static void *consumes(void *arg) {
  for (;;)
    if (items > 0) {                               // <-
      int left = __sync_sub_and_fetch(&items, 1);  // <-
      assert(left >= 0);
    }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, produces, 0);
  pthread_create(&b, 0, consumes, 0);
  consumes(0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
