// expect: false(no-deadlock) args: --property no-deadlock
// Nobody unlocks the mutex that the wait has taken again. NOTE(cancelled-waits)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void clean(void *unused) {
  cleaned++;
  ;
}

static void *waiter(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(clean, 0);
  while (1)
    pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, waiter, 0);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_lock(&lock);
  assert(cleaned == 1);
  pthread_mutex_unlock(&lock);
  return 0;
}
