// expect: true args: --property no-data-race --engine static
// All of the ten threads have ended when the sum is read without the lock.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum;
void *thread(void *argument) {
  pthread_mutex_lock(&m);
  sum++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t threads[10];
  for (int i = 0; i < 10; i++)
    pthread_create(&threads[i], 0, thread, 0);
  for (int i = 0; i < 10; i++)
    pthread_join(threads[i], 0);
  return sum;
}
