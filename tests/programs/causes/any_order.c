// expect: false(unreach-call) args: --property unreach-call
// cause: any order
// The sum is wrong in whatever order.
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg) {
  pthread_mutex_lock(&m);
  x += 1;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *other(void *arg) {
  pthread_mutex_lock(&m);
  x += 2;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
