/* A thread that ticks until it is told to stop, with a timed wait. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <errno.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stop_asked = PTHREAD_COND_INITIALIZER;
static int stop, ticks;

static void *ticker(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!stop && ticks < 3) {
    struct timespec when;
    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_sec += 1;
    int result = pthread_cond_timedwait(&stop_asked, &lock, &when);
    if (result == ETIMEDOUT) ticks++;
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, ticker, NULL);
  pthread_mutex_lock(&lock);
  stop = 1;
  pthread_cond_signal(&stop_asked);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  assert(ticks <= 3);
  return 0;
}
