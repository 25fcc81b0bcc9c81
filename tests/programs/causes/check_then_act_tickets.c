// expect: false(unreach-call) args: --property unreach-call
// cause: check then act
// The last ticket is sold twice.
#include <assert.h>
#include <pthread.h>

static int tickets = 1;

static void *sells(void *arg) {
  if (tickets > 0) {  // <-
    tickets = tickets - 1;  // <-
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, sells, 0);
  pthread_create(&b, 0, sells, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(tickets >= 0);
  return 0;
}
