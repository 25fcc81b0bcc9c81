// expect: false(unreach-call) args: --property unreach-call --spurious-wakeups off
// cause: check then act
// After waiting the condition is not looked at again.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *takes(void *arg) {
  pthread_mutex_lock(&m);
  if (items == 0) {  // <-
    pthread_cond_wait(&filled, &m);
  }
  items--;
  assert(items >= 0);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, takes, 0);
  pthread_create(&b, 0, takes, 0);
  pthread_mutex_lock(&m);
  items++;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  items++;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
