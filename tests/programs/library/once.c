// expect: true
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int calls, ready;

void initialise(void) {
  calls++;
  ready = 1;
}

void *worker(void *unused) {
  assert(pthread_once(&once, initialise) == 0);
  assert(ready);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  assert(calls == 1);
  return 0;
}
