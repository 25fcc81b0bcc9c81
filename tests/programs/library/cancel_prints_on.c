// expect: false(unreach-call)
// Printing may be where a thread is cancelled, or not.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int done;

static void *worker(void *unused) {
  printf("works\n");
  done = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, worker, 0);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(!done);
  return 0;
}
