// expect: false(unreach-call) args: --property unreach-call
// cause: lost update
// A balance is read into a copy, and written from it.
#include <assert.h>
#include <pthread.h>

static int balance = 10;

static void *deposits(void *arg) {
  int copy = balance;  // <-
  copy = copy + 5;
  balance = copy;  // <-
  return arg;
}

static void *corrects(void *arg) {
  balance = 3;  // <-
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, deposits, 0);
  pthread_create(&b, 0, corrects, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(balance != 15);
  return 0;
}
