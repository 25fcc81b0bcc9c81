// expect: false(unreach-call) args: --property unreach-call
// cause: overwritten value
// What a thread has just written is not there any more.
#include <assert.h>
#include <pthread.h>

static int owner;

static void *one(void *arg) {
  owner = 1;  // <-
  assert(owner == 1);  // <-
  return arg;
}

static void *other(void *arg) {
  owner = 2;  // <-
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);

  return 0;
}
