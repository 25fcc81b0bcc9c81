// expect: false(no-deadlock) args: --property no-deadlock
// cause: lock order cycle
// Two locks in two orders.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b_lock = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg) {
  pthread_mutex_lock(&a_lock);  // <-
  pthread_mutex_lock(&b_lock);  // <-
  pthread_mutex_unlock(&b_lock);
  pthread_mutex_unlock(&a_lock);
  return arg;
}

static void *other(void *arg) {
  pthread_mutex_lock(&b_lock);  // <-
  pthread_mutex_lock(&a_lock);  // <-
  pthread_mutex_unlock(&a_lock);
  pthread_mutex_unlock(&b_lock);
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
