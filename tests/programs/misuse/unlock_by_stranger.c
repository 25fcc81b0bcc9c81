// expect: false(no-misuse) args: --property no-misuse
// The second thread unlocks what the first one may have locked, or nobody.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
