// expect: false(valid-deref) args: --property valid-deref
// cause: use after return
// A thread gets a pointer to a variable of a function that has returned.
#include <assert.h>
#include <pthread.h>

static pthread_t a;

static void *uses(void *arg) {
  *(int *)arg = 1;  // <-
  return 0;
}

static void starts(void) {
  int local = 0;
  pthread_create(&a, 0, uses, &local);
}

int main(void) {
  starts();
  pthread_join(a, 0);
  return 0;
}
