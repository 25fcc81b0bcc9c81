// expect: false(no-misuse) args: --property no-misuse
// cause: any order
// A thread that was detached is joined; that a signal wakes one of those that wait is no input.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stopping;

static void *waits(void *arg) {
  pthread_mutex_lock(&m);
  while (!stopping) pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, waits, 0);
  pthread_detach(a);
  pthread_mutex_lock(&m);
  stopping = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
