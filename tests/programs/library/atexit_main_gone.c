// expect: unknown "handlers run where the last thread ends"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void check(void) { assert(0); }

static void *work(void *argument) { return 0; }

int main(void) {
  pthread_t thread;
  atexit(check);
  pthread_create(&thread, 0, work, 0);
  pthread_exit(0);
}
