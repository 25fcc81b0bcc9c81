// expect: true args: --property no-deadlock
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex;
pthread_cond_t never;

int main(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec = 1;
  pthread_mutex_lock(&mutex);
  while (pthread_cond_timedwait(&never, &mutex, &deadline) != ETIMEDOUT)
    ;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
  pthread_cond_destroy(&never);
  return 0;
}
