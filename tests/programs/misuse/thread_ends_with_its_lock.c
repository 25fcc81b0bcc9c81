// expect: false(no-misuse) args: --property no-misuse
// A lock that is a variable of the thread ends with it.
#include <pthread.h>

static pthread_mutex_t *shared;

static void *worker(void *arg) {
  pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
  shared = &mine;
  pthread_mutex_lock(shared);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
