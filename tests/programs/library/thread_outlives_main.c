// expect: false(unreach-call)
// After pthread_exit in main the other threads go on.
#include <assert.h>
#include <pthread.h>

int done;

void *worker(void *unused) {
  assert(!done);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_detach(t);
  done = 1;
  pthread_exit(0);
}
