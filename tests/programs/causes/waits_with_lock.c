// expect: false(no-deadlock) args: --property no-deadlock
// cause: waits with a lock held
// Who would signal needs a lock that the waiting thread keeps.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full;

static void *takes(void *arg) {
  pthread_mutex_lock(&outer);  // <-
  pthread_mutex_lock(&inner);
  while (!full) {
    pthread_cond_wait(&filled, &inner);  // <-
  }
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  return arg;
}

static void *puts(void *arg) {
  pthread_mutex_lock(&outer);  // <-
  pthread_mutex_lock(&inner);
  full = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, takes, 0);
  pthread_create(&b, 0, puts, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);

  return 0;
}
