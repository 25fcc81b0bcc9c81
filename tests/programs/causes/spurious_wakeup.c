// expect: false(valid-deref) args: --property valid-deref
// cause: spurious wake-up
// A wait may end without a signal: then there is no task yet.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int *task;
static int done;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  if (task == 0)
    pthread_cond_wait(&filled, &m);  // <-
  done += *task;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a;
  int one = 1;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  task = &one;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
