// expect: false(unreach-call) args: --property unreach-call
// cause: changed too early
// A worker leaves as soon as it is told to stop, and there is work left.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int jobs, stop, done;

static void *worker(void *arg) {
  for (;;) {
    pthread_mutex_lock(&m);
    while (jobs == 0 && !stop)
      pthread_cond_wait(&changed, &m);
    if (stop) {  // <-
      pthread_mutex_unlock(&m);
      return arg;
    }
    jobs--;  // <-
    done++;
    pthread_mutex_unlock(&m);
  }
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  jobs = 2;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  stop = 1;  // <-
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  assert(done == 2);
  return 0;
}
