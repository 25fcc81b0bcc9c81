// expect: false(no-data-race) args: --property no-data-race
// Handlers run while other threads go on.
#include <pthread.h>
#include <stdlib.h>

static int log_lines;

static void *work(void *argument) {
  log_lines++;
  return 0;
}

static void finish(void) { log_lines = 0; }

int main(void) {
  pthread_t thread;
  atexit(finish);
  pthread_create(&thread, 0, work, 0);
  return 0;
}
