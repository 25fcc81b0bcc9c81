/* Workers count under a lock. */
#include <pthread.h>
#include <assert.h>
#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count;
void *worker(void *arg) {
  for (int i = 0; i < K; i++) {
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(count == N * K);
  return 0;
}
