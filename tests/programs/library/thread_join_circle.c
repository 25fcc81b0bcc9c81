// expect: false(no-deadlock) args: --property no-deadlock
#include <pthread.h>

pthread_t first;

void *worker(void *unused) {
  pthread_join(first, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  first = pthread_self();
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
