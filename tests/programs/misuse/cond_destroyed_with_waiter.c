// expect: false(no-misuse) "a condition variable is destroyed while threads wait" args: --property no-misuse
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waits;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  waits = 1;
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  int early = waits;
  pthread_mutex_unlock(&m);
  if (early)
    pthread_cond_destroy(&c);
  return 0;
}
