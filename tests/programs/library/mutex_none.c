// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex[2];
int x;

void *worker(void *which) {
  pthread_mutex_lock(which);
  x = x + 1;
  pthread_mutex_unlock(which);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, &mutex[0]);
  pthread_create(&b, 0, worker, &mutex[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
