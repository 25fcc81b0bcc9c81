// expect: false(unreach-call)
// Where a routine is cancelled, the next caller calls it again.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int calls;

void initialise(void) {
  calls++;
  pthread_testcancel();
}

void *work(void *argument) {
  pthread_once(&once, initialise);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  pthread_once(&once, initialise);
  assert(calls == 1);
  return 0;
}
