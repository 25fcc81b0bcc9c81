// expect: true args: --property unreach-call --property no-deadlock
// A routine that is left, by cancellation or otherwise, keeps nobody waiting; handlers outside of it run later.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int calls, done;

void initialise(void) {
  calls++;
  if (calls == 1)
    pthread_exit(0);
  pthread_testcancel();
  done++;
}

void again(void *argument) {
  pthread_once(&once, initialise);
}

void *work(void *argument) {
  pthread_cleanup_push(again, 0);
  pthread_once(&once, initialise);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  pthread_once(&once, initialise);
  assert(done == 1);
  return 0;
}
