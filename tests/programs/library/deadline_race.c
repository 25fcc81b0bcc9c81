// expect: false(no-data-race) args: --property no-data-race
// Until when a thread waits is read by the wait, though it waits for nothing here.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct timespec deadline;

static void *waits(void *argument) {
  if (pthread_mutex_timedlock(&m, &deadline) == 0)
    pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  deadline.tv_sec = 1;
  pthread_join(t, NULL);
  return 0;
}
