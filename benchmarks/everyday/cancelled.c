/* A worker that waits is cancelled; its clean-up handler gives the lock back. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void give_back(void *argument) {
  cleaned = 1;
  pthread_mutex_unlock(argument);
}

static void *wait_for_ever(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(give_back, &lock);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, wait_for_ever, NULL);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
