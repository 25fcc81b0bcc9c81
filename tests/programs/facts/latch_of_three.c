// expect: false(no-data-race) args: --property no-data-race
// Each of the four threads counts down when it is done, and the first one waits for three of them.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int left = 3, results[4];
void *thread(void *argument) {
  long i = (long)argument;
  results[i] = 1;
  pthread_mutex_lock(&m);
  left--;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  for (long i = 0; i < 4; i++) {
    pthread_t t;
    pthread_create(&t, 0, thread, (void *)i);
  }
  pthread_mutex_lock(&m);
  while (left > 0)
    pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
  return results[0] + results[1] + results[2] + results[3];
}
