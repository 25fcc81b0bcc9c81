// expect: false(no-deadlock) args: --property no-deadlock
// cause: lost wake-up
// The signal comes before anybody waits.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waits(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);  // <-
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, waits, 0);
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);  // <-
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
