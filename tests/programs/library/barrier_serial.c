// expect: false(unreach-call)
// Any thread may be told that it is the serial one.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int is_serial;

void *run(void *arg) {
  is_serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, run, 0);
  pthread_barrier_wait(&barrier);
  pthread_join(thread, 0);
  assert(!is_serial);
  return 0;
}
