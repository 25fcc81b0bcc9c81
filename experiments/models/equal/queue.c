/* Workers take the items of a queue under a lock, and add up what they have computed. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
#define ITEMS 4
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int item[ITEMS] = {1, 2, 3, 4};
int taken, sum;
void *worker(void *p) {
  for (;;) {
    int mine = 0;
    pthread_mutex_lock(&m);
    if (taken < ITEMS) mine = item[taken++];
    pthread_mutex_unlock(&m);
    if (mine == 0) return 0;
    pthread_mutex_lock(&m);
    sum += mine * mine;
    pthread_mutex_unlock(&m);
  }
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(sum == 30);
  return 0;
}
