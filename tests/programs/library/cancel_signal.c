// expect: true args: --property no-deadlock
// A thread that is cancelled while it waits takes the only signal from nobody. NOTE(cancelled-waits)
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int go;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *waits(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  while (!go)
    pthread_cond_wait(&cond, &lock);
  pthread_cond_signal(&cond);
  pthread_cleanup_pop(1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waits, 0);
  pthread_create(&b, 0, waits, 0);
  pthread_mutex_lock(&lock);
  go = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  pthread_cancel(a);
  pthread_join(b, 0);
  return 0;
}
