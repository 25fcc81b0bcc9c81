/* Workers count without a lock. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
int counter;
void *worker(void *p) {
  for (int k = 0; k < 2; k++) counter = counter + 1;
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(counter > 1);
  return 0;
}
